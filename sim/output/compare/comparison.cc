// SPDX-License-Identifier: MIT
#include "sim/output/compare/comparison.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <unordered_map>

#include <fmt/format.h>

#include "sim/base/text.h"
#include "sim/output/compare/causes.h"
#include "sim/output/compare/summary.h"
#include "sim/output/compare/sums.h"
#include "sim/output/compare/words.h"
#include "sim/output/report/writers.h"
#include "sim/output/view/roofs.h"

namespace gpusim::compare {
namespace {

using report::KernelView;
using report::View;

/// A result with its sums, and what the formulas make of them.
struct Side {
  explicit Side(const Input& input)
      : source(input.source),
        result(*input.result),
        grouped(group(result)),
        by_name(report::explained_view(grouped.by_name)),
        total(report::explained_view(grouped.total)) {}

  [[nodiscard]] const KernelView& sum() const { return total.kernels.front(); }

  std::string source;
  const stats::Result& result;
  Grouped grouped;
  View by_name;  ///< views of `grouped`, which therefore stays where it is
  View total;
};

/// What a result leaves out because there was none of it is zero; what it did not count is unknown.
report::Value total_value(const Side& side, const report::KernelColumn& column) {
  if (is_of_launch(column) && side.result.kernels.size() != 1) {
    return common_value(side.result, column);
  }
  report::Value value = column.get(side.sum());
  const bool is_counter = column.path.starts_with("counters.");
  const bool is_known = side.sum().counts_noc || !column.path.starts_with("counters.noc.");
  if (std::holds_alternative<std::monostate>(value) && is_counter && is_known) {
    value = std::uint64_t{0};
  }
  return value;
}

std::string verdict_of(const Side& side) {
  const auto& columns = report::kernel_columns();
  const auto column = std::ranges::find(columns, "verdict", &report::KernelColumn::path);
  assert(column != columns.end());
  if (side.result.kernels.size() != 1) {
    return std::get<std::string>(column->get(side.sum()));
  }
  return std::get<std::string>(column->get(report::explained_view(side.result).kernels.front()));
}

Run run_of(const Side& side, std::size_t number) {
  Run run;
  run.name = std::string(1, static_cast<char>('A' + number));
  run.source = side.source;
  run.facts = side.result;
  run.launches = side.result.kernels.size();
  for (const report::KernelColumn* const column : metrics()) {
    run.totals.push_back({column, total_value(side, *column)});
  }
  const KernelView& sum = side.sum();
  for (const stats::KernelResult& kernel : side.result.kernels) {
    run.ctas += kernel.simulated_ctas;
    run.grid_ctas += kernel.grid.volume();
  }
  run.time_us = sum.time_us;
  run.launch_us = sum.counts.launch_us;
  run.bound = sum.bound;
  run.verdict = run.launches == 0 ? "no kernel ran" : verdict_of(side);
  run.roofs = sum.roofs;
  run.dram_bytes = static_cast<double>(sum.levels.back().bytes);
  return run;
}

/// Those parameters of a result that the other has not, or not so: "n=64 type=f16".
std::string own_parameters(const stats::RunFacts& of, const stats::RunFacts& other) {
  stats::RunFacts own;
  for (const auto& mine : of.parameters) {
    const bool is_shared = std::ranges::any_of(other.parameters, [&mine](const auto& parameter) {
      return parameter.first == mine.first && parameter.second.text() == mine.second.text();
    });
    if (!is_shared) {
      own.parameters.push_back(mine);
    }
  }
  return parameters_text(own);
}

/// What a result has no own parameters for: the same trace may have been saved without any.
std::string other_parameters(const stats::RunFacts& of, const stats::RunFacts& other) {
  return of.parameters.empty() && of.trace_path == other.trace_path ? "default" : "none of these";
}

std::string ctas_text(const Run& run) {
  return run.ctas == run.grid_ctas ? "all" : with_thousands(run.ctas) + " of " + with_thousands(run.grid_ctas);
}

std::vector<Setting> settings_of(const Run& first, const Run& second) {
  const stats::RunFacts& a = first.facts;
  const stats::RunFacts& b = second.facts;
  std::vector<Setting> out;
  const auto add = [&out](const char* what, const std::string& before, const std::string& after) {
    if (before != after) {
      out.push_back({what, before, after});
    }
  };
  const auto megahertz = [](double clock) { return fmt::format("{:.0f} MHz", clock); };
  add("GPU", a.arch_name, b.arch_name);
  add("architecture", a.arch_path, b.arch_path);
  add("SMs", std::to_string(a.machine.sms), std::to_string(b.machine.sms));
  add("clock of SMs", megahertz(a.sm_clock_mhz), megahertz(b.sm_clock_mhz));
  add("clock of DRAM", megahertz(a.memory_clock_mhz), megahertz(b.memory_clock_mhz));
  add("trace", a.trace_path, b.trace_path);
  const std::string own_a = own_parameters(a, b);
  const std::string own_b = own_parameters(b, a);
  if (!own_a.empty() || !own_b.empty()) {
    add("parameters", own_a.empty() ? other_parameters(a, b) : own_a, own_b.empty() ? other_parameters(b, a) : own_b);
  }
  add("caches", std::string(cache_state_text(a.cache_state)), std::string(cache_state_text(b.cache_state)));
  add("CTAs simulated", ctas_text(first), ctas_text(second));
  return out;
}

StateChanges states_of(const stats::StallCycles& first, const stats::StallCycles& second) {
  StateChanges out{};
  for (std::size_t i = 0; i < out.size(); ++i) {
    out[i] = {first[i], second[i]};
  }
  return out;
}

CycleChange sum_of(const StateChanges& states) {
  CycleChange sum;
  for (const CycleChange& state : states) {
    sum.first += state.first;
    sum.second += state.second;
  }
  return sum;
}

std::uint64_t cycles_changed(const CycleChange& change) {
  return magnitude(change.difference());
}

LineChange line_of(const report::LineCounts* first, const report::LineCounts* second) {
  LineChange out;
  if (first != nullptr) {
    out.first = *first;
  }
  if (second != nullptr) {
    out.second = *second;
  }
  const stats::StallCycles none{};
  const StateChanges states =
      states_of(first == nullptr ? none : first->stalls, second == nullptr ? none : second->stalls);
  out.cycles = sum_of(states);
  const auto* const most = std::max_element(
      states.begin(), states.end(),
      [](const CycleChange& a, const CycleChange& b) { return cycles_changed(a) < cycles_changed(b); });
  if (most->difference() != 0) {
    out.state = static_cast<stats::Stall>(most - states.begin());
  }
  return out;
}

std::vector<LineChange> lines_of(const LineSums& first, const LineSums& second) {
  std::vector<LineChange> out;
  const auto find = [](const LineSums& lines, const report::LineKey& key) {
    const auto at = lines.find(key);
    return at == lines.end() ? nullptr : &at->second;
  };
  for (const auto& [key, sum] : first) {
    out.push_back(line_of(&sum, find(second, key)));
  }
  for (const auto& [key, sum] : second) {
    if (find(first, key) == nullptr) {
      out.push_back(line_of(nullptr, &sum));
    }
  }
  std::ranges::stable_sort(out, std::ranges::greater(),
                           [](const LineChange& line) { return cycles_changed(line.cycles); });
  return out;
}

KernelSum kernel_sum(const Side& side, std::size_t i) {
  const KernelView& view = side.by_name.kernels[i];
  return {side.grouped.groups[i].launches, view.time_us, report::percent(view.time_us, side.sum().time_us), view.bound};
}

KernelChange kernel_of(const Side& a, std::size_t i, const Side& b, std::size_t j) {
  const stats::KernelCounts& first = a.grouped.by_name.kernels[i];
  const stats::KernelCounts& second = b.grouped.by_name.kernels[j];
  KernelChange out;
  out.name = first.name;
  out.first = kernel_sum(a, i);
  out.second = kernel_sum(b, j);
  out.cycles = {first.cycles, second.cycles};
  out.states = states_of(first.stalls, second.stalls);
  out.warp_cycles = sum_of(out.states);
  out.lines = lines_of(a.grouped.groups[i].lines, b.grouped.groups[j].lines);
  return out;
}

LoneKernel lone(const Side& side, std::size_t i) {
  return {kernel_sum(side, i), std::string(side.grouped.groups[i].name)};
}

void match_kernels(const Side& a, const Side& b, Change& change) {
  std::unordered_map<std::string_view, std::size_t> in_second;  // only looked up
  for (std::size_t j = 0; j < b.grouped.groups.size(); ++j) {
    in_second.emplace(b.grouped.groups[j].name, j);
  }
  std::vector<bool> is_matched(b.grouped.groups.size());
  for (std::size_t i = 0; i < a.grouped.groups.size(); ++i) {
    const auto at = in_second.find(a.grouped.groups[i].name);
    if (at == in_second.end()) {
      change.only_first.push_back(lone(a, i));
    } else {
      is_matched[at->second] = true;
      change.kernels.push_back(kernel_of(a, i, b, at->second));
    }
  }
  for (std::size_t j = 0; j < is_matched.size(); ++j) {
    if (!is_matched[j]) {
      change.only_second.push_back(lone(b, j));
    }
  }
  std::ranges::stable_sort(change.kernels, std::ranges::greater(), [](const KernelChange& kernel) {
    return std::abs(kernel.second.time_us - kernel.first.time_us);
  });
  std::ranges::stable_sort(change.only_first, std::ranges::greater(), &LoneKernel::time_us);
  std::ranges::stable_sort(change.only_second, std::ranges::greater(), &LoneKernel::time_us);
}

stats::PcCounters sum_of_code(const Grouped& grouped) {
  stats::PcCounters sum;
  for (const Group& group : grouped.groups) {
    for (const auto& [key, line] : group.lines) {
      stats::add<stats::PcCounters>(sum, line);
    }
  }
  return sum;
}

Change change_of(const Side& a, const Side& b) {
  Change change;
  change.states = states_of(a.grouped.total.kernels.front().stalls, b.grouped.total.kernels.front().stalls);
  change.warp_cycles = sum_of(change.states);
  change.causes = causes_of({a.total, sum_of_code(a.grouped)}, {b.total, sum_of_code(b.grouped)});
  match_kernels(a, b, change);
  return change;
}

}  // namespace

Comparison compare(std::span<const Input> inputs) {
  assert(inputs.size() >= 2 && inputs.size() <= kMostRuns);
  const Side first(inputs.front());
  Comparison out;
  out.runs.push_back(run_of(first, 0));
  for (std::size_t i = 1; i < inputs.size(); ++i) {
    const Side later(inputs[i]);
    out.runs.push_back(run_of(later, i));
    Change& change = out.changes.emplace_back(change_of(first, later));
    change.second = i;
    change.settings = settings_of(out.runs.front(), out.runs.back());
    change.summary = summary_of(out.runs.front(), out.runs.back(), change);
  }
  return out;
}

const std::vector<const report::KernelColumn*>& metrics() {
  static const std::vector<const report::KernelColumn*> kMetrics = [] {
    std::vector<const report::KernelColumn*> out;
    for (const report::KernelColumn& column : report::kernel_columns()) {
      using enum report::ValueKind;
      if (column.kind == kInteger || column.kind == kReal || column.kind == kOptional) {
        out.push_back(&column);
      }
    }
    return out;
  }();
  return kMetrics;
}

std::optional<double> number(const report::Value& value) {
  if (const auto* const whole = std::get_if<std::uint64_t>(&value)) {
    return static_cast<double>(*whole);
  }
  const auto* const real = std::get_if<double>(&value);
  return real == nullptr ? std::nullopt : std::optional(*real);
}

std::optional<double> total_of(const Run& run, std::string_view key) {
  const auto total = std::ranges::find(run.totals, key, [](const Total& each) { return each.column->path; });
  return total == run.totals.end() ? std::nullopt : number(total->value);
}

double roof_of(const report::RoofRow& row) {
  const report::RoofLevel* const level = report::lowest_roof(row);
  const bool is_sloped = level != nullptr && report::is_memory_side(row, *level);
  return is_sloped ? *level->intensity * level->peak_bytes_per_second : row.peak_flops_per_second;
}

std::string parameters_text(const stats::RunFacts& facts) {
  std::string text;
  for (const auto& [name, value] : facts.parameters) {
    text += fmt::format("{}{}={}", text.empty() ? "" : " ", name, value.text());
  }
  return text;
}

}  // namespace gpusim::compare
