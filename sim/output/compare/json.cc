// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <limits>

#include <nlohmann/json.hpp>

#include "sim/model/stats/pc_profile.h"
#include "sim/model/stats/stall.h"
#include "sim/output/compare/comparison.h"
#include "sim/output/compare/writers.h"
#include "sim/output/report/schema.h"
#include "sim/output/view/line_counts.h"
#include "sim/output/view/roofs.h"
#include "sim/output/view/view.h"

namespace gpusim::compare {
namespace {

using Json = nlohmann::ordered_json;

Json number_json(double value) {
  return std::isfinite(value) ? Json(value) : Json(nullptr);
}

Json value_json(const report::Value& value) {
  if (const auto* const whole = std::get_if<std::uint64_t>(&value)) {
    return *whole;
  }
  const std::optional<double> real = number(value);
  return real ? number_json(*real) : Json(nullptr);
}

Json ratio_json(double first, double second) {
  return first > 0 ? number_json(second / first) : Json(nullptr);
}

Json roofs_json(const Run& run) {
  Json out = Json::array();
  for (const report::RoofRow& row : run.roofs) {
    const report::RoofLevel* const level = report::lowest_roof(row);
    const bool has_level = level != nullptr;
    out.push_back({{"class", isa::kFlopClassNames[static_cast<std::size_t>(row.flop_class)]},
                   {"flops_per_second", number_json(row.flops_per_second)},
                   {"peak_flops_per_second", number_json(row.peak_flops_per_second)},
                   {"level", has_level ? Json(level->name) : Json(nullptr)},
                   {"intensity", has_level ? number_json(*level->intensity) : Json(nullptr)},
                   {"ridge", has_level ? number_json(report::ridge_of(row, *level)) : Json(nullptr)},
                   {"roof_flops_per_second", number_json(roof_of(row))},
                   {"memory_side", has_level && report::is_memory_side(row, *level)}});
  }
  return out;
}

Json run_json(const Run& run) {
  Json parameters = Json::object();
  for (const auto& [name, value] : run.facts.parameters) {
    parameters[name] = value.word.empty() ? Json(value.number) : Json(value.word);
  }
  Json totals = Json::object();
  for (const Total& total : run.totals) {
    totals[total.column->path] = value_json(total.value);
  }
  return {{"name", run.name},
          {"source", run.source},
          {"complete", run.facts.complete},
          {"arch", {{"name", run.facts.arch_name}, {"path", run.facts.arch_path}}},
          {"trace", {{"path", run.facts.trace_path}, {"title", run.facts.trace_title}}},
          {"parameters", parameters},
          {"cache_state", cache_state_text(run.facts.cache_state)},
          {"clock_mhz", number_json(run.facts.sm_clock_mhz)},
          {"dram_bytes_per_second_peak", number_json(run.facts.machine.dram_bytes_per_second)},
          {"launches", run.launches},
          {"bound", name_of(run.bound)},
          {"verdict", run.verdict},
          {"roofs", roofs_json(run)},
          {"totals", totals}};
}

Json cycles_json(const CycleChange& change) {
  return {{"first", change.first}, {"second", change.second}, {"difference", change.difference()}};
}

/// Those that a warp was in, in either result.
Json states_json(const StateChanges& states) {
  Json out = Json::object();
  for (std::size_t i = 0; i < states.size(); ++i) {
    if (states[i].first != 0 || states[i].second != 0) {
      out[std::string(stats::kStalls[i].key)] = cycles_json(states[i]);
    }
  }
  return out;
}

Json settings_json(const Change& change) {
  Json out = Json::array();
  for (const Setting& setting : change.settings) {
    out.push_back({{"what", setting.what}, {"first", setting.first}, {"second", setting.second}});
  }
  return out;
}

/// Totals that differ; what one of them does not know is null.
Json metrics_json(const Run& first, const Run& second) {
  Json out = Json::array();
  for (std::size_t i = 0; i < first.totals.size(); ++i) {
    const report::Value& a = first.totals[i].value;
    const report::Value& b = second.totals[i].value;
    if (a == b) {
      continue;
    }
    Json row{{"key", first.totals[i].column->path}, {"unit", first.totals[i].column->unit}};
    row["first"] = value_json(a);
    row["second"] = value_json(b);
    const std::optional<double> before = number(a);
    const std::optional<double> after = number(b);
    row["ratio"] = before && after ? ratio_json(*before, *after) : Json(nullptr);
    out.push_back(std::move(row));
  }
  return out;
}

Json causes_json(const Change& change) {
  Json out = Json::array();
  for (const Cause& cause : change.causes) {
    Json row{{"key", cause.key},
             {"what", cause.what},
             {"unit", cause.unit},
             {"first", number_json(cause.first)},
             {"second", number_json(cause.second)},
             {"speeds_up", cause.speeds_up},
             {"weight", number_json(cause.weight)}};
    row["served_by"] = cause.served_by.empty() ? Json(nullptr) : Json(cause.served_by);
    row["served_pct"] = cause.served_by.empty() ? Json(nullptr) : number_json(cause.served_pct);
    out.push_back(std::move(row));
  }
  return out;
}

Json kernel_sum_json(const KernelSum& sum) {
  return {{"launches", sum.launches},
          {"time_us", number_json(sum.time_us)},
          {"share_pct", number_json(sum.share_pct)},
          {"bound", name_of(sum.bound)}};
}

Json line_sum_json(const std::optional<report::LineCounts>& sum) {
  if (!sum) {
    return nullptr;
  }
  Json out{{"opcode", sum->opcode}, {"text", sum->text}};
  for (const auto& field : stats::PcCounters::kFields) {
    out[std::string(field.name)] = (*sum).*(field.member);
  }
  return out;
}

Json lines_json(const KernelChange& kernel) {
  Json out = Json::array();
  const stats::StallCycles none{};
  for (const LineChange& line : kernel.lines) {
    const report::LineCounts& known = line.second ? *line.second : *line.first;
    Json row{{"line", known.line}, {"pc", known.pc}};
    row["cycles"] = cycles_json(line.cycles);
    row["state"] = line.state ? Json(info_of(*line.state).key) : Json(nullptr);
    row["first"] = line_sum_json(line.first);
    row["second"] = line_sum_json(line.second);
    StateChanges states{};
    for (std::size_t i = 0; i < states.size(); ++i) {
      states[i] = {(line.first ? line.first->stalls : none)[i], (line.second ? line.second->stalls : none)[i]};
    }
    row["states"] = states_json(states);
    out.push_back(std::move(row));
  }
  return out;
}

/// `most_lines`: lines of the kernels whose time changed most, so many of them, or those of one kernel; others have
/// null.
Json kernels_json(const Change& change, std::size_t most_lines) {
  Json out = Json::array();
  std::size_t held = 0;
  for (const KernelChange& kernel : change.kernels) {
    held += kernel.lines.size();
    const bool has_lines = held <= most_lines || &kernel == &change.kernels.front();
    out.push_back({{"name", kernel.name},
                   {"first", kernel_sum_json(kernel.first)},
                   {"second", kernel_sum_json(kernel.second)},
                   {"time_ratio", ratio_json(kernel.first.time_us, kernel.second.time_us)},
                   {"cycles", cycles_json(kernel.cycles)},
                   {"warp_cycles", cycles_json(kernel.warp_cycles)},
                   {"states", states_json(kernel.states)},
                   {"lines", has_lines ? lines_json(kernel) : Json(nullptr)}});
  }
  return out;
}

Json lone_json(const std::vector<LoneKernel>& kernels) {
  Json out = Json::array();
  for (const LoneKernel& kernel : kernels) {
    Json row = Json::object();
    row["name"] = kernel.name;
    row.update(kernel_sum_json(kernel));
    out.push_back(std::move(row));
  }
  return out;
}

Json change_json(const Comparison& comparison, const Change& change, std::size_t most_lines) {
  const Run& first = comparison.runs.front();
  const Run& second = comparison.runs[change.second];
  return {{"first", first.name},
          {"second", second.name},
          {"summary", change.summary},
          {"time_ratio", ratio_json(first.time_us, second.time_us)},
          {"settings", settings_json(change)},
          {"metrics", metrics_json(first, second)},
          {"causes", causes_json(change)},
          {"warp_cycles", cycles_json(change.warp_cycles)},
          {"states", states_json(change.states)},
          {"kernels", kernels_json(change, most_lines)},
          {"only_first", lone_json(change.only_first)},
          {"only_second", lone_json(change.only_second)}};
}

Json outcomes_json(const Comparison& comparison) {
  Json out = Json::array();
  for (const Outcome& outcome : comparison.outcomes) {
    out.push_back({{"condition", outcome.condition.text},
                   {"metric", outcome.condition.metric},
                   {"run", comparison.runs[outcome.run].name},
                   {"value", number_json(outcome.value)},
                   {"limit", number_json(outcome.limit)},
                   {"failed", outcome.failed}});
  }
  return out;
}

/// `most_lines`: for each change.
Json comparison_json(const Comparison& comparison, std::size_t most_lines) {
  Json runs = Json::array();
  for (const Run& run : comparison.runs) {
    runs.push_back(run_json(run));
  }
  Json changes = Json::array();
  for (const Change& change : comparison.changes) {
    changes.push_back(change_json(comparison, change, most_lines));
  }
  return {{"schema", kSchema},
          {"version", report::version()},
          {"runs", std::move(runs)},
          {"changes", std::move(changes)},
          {"fail_if", outcomes_json(comparison)}};
}

/// Names come from files: what is not UTF-8 is replaced. `indent`: -1 for all in one line.
std::string dump(const Json& json, int indent) {
  return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

}  // namespace

std::string to_json(const Comparison& comparison) {
  return dump(comparison_json(comparison, std::numeric_limits<std::size_t>::max()), 1) + "\n";
}

std::string to_page_json(const Comparison& comparison, std::size_t most_lines) {
  return dump(comparison_json(comparison, most_lines / std::max<std::size_t>(1, comparison.changes.size())), -1);
}

}  // namespace gpusim::compare
