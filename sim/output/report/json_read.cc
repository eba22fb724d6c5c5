// SPDX-License-Identifier: MIT
// Reads a saved result. The table of columns says which keys there must be and of what type, so writing and reading
// cannot drift apart.
#include <algorithm>
#include <array>
#include <limits>
#include <optional>

#include <nlohmann/json.hpp>

#include "sim/base/problem.h"
#include "sim/base/text.h"
#include "sim/output/report/columns.h"
#include "sim/output/report/json_parse.h"
#include "sim/output/report/json_reader.h"
#include "sim/output/report/json_split.h"
#include "sim/output/report/record_json.h"
#include "sim/output/report/report.h"
#include "sim/output/report/watch_json.h"

namespace gpusim::report {
namespace {

using nlohmann::ordered_json;

/// `is_whole`: of a run that was not stopped before its end.
template <class Column, class Kept>
void read_columns(Reader& reader, const ordered_json& json, const std::string& prefix,
                  const std::vector<Column>& columns, bool is_whole, Kept& kept) {
  for (const Column& column : columns) {
    // What follows from others is not read back, and earlier versions derived less.
    const bool may_lack = column.is_if_any || column.is_later || !column.set;
    const ordered_json* const at =
        may_lack ? reader.find_if_any(json, column.path) : reader.find(json, prefix, column.path);
    if (at == nullptr) {
      continue;
    }
    const std::optional<Value> value = value_of(*at, column.kind);
    const std::string complaint =
        value ? complaint_about(*value, column.allowed, is_whole) : "is not " + std::string(name_of(column.kind));
    if (!complaint.empty()) {
      reader.wrong(prefix + column.path, complaint);
    } else if (column.set) {
      column.set(kept, *value);
    }
  }
}

/// States without cycles are left out. Results of earlier versions have none.
void read_concurrent(Reader& reader, const ordered_json& spot, const std::string& here, stats::PcResult& pc) {
  if (!spot.is_object() || !spot.contains("concurrent")) {
    return;
  }
  for (std::size_t s = 0; s < stats::kStallCount; ++s) {
    if (const std::string key(stats::kStalls[s].key); spot["concurrent"].contains(key)) {
      pc.concurrent[s] = read_one<std::uint64_t>(reader, spot, here, "concurrent." + key, ValueKind::kInteger);
    }
  }
}

/// Results of earlier versions have none.
void read_producers(Reader& reader, const ordered_json& spot, const std::string& here, std::size_t instructions,
                    stats::PcResult& pc) {
  if (!spot.is_object() || !spot.contains("producers")) {
    return;
  }
  const ordered_json* const list = reader.find_list(spot, here, "producers");
  for (std::size_t i = 0; list != nullptr && i < list->size(); ++i) {
    const ordered_json& json = (*list)[i];
    const std::string prefix = here + "producers[" + std::to_string(i) + "].";
    const auto index = read_one<std::uint64_t>(reader, json, prefix, "index", ValueKind::kInteger);
    const auto cycles = read_one<std::uint64_t>(reader, json, prefix, "cycles", ValueKind::kInteger);
    const auto state = state_of(read_one<std::string>(reader, json, prefix, "state", ValueKind::kText));
    if (index >= instructions || !state) {
      reader.wrong(prefix + (state ? "index" : "state"),
                   state ? "is not below the number of instructions" : "is no warp state");
      return;
    }
    pc.producers.push_back({static_cast<std::uint32_t>(index), *state, cycles});
  }
}

/// By state: where an instruction has its cycles.
const std::array<std::string, stats::kStallCount>& stall_paths() {
  static const auto paths = [] {
    std::array<std::string, stats::kStallCount> all;
    std::ranges::transform(stats::kStalls, all.begin(),
                           [](const auto& stall) { return "stalls." + std::string(stall.key); });
    return all;
  }();
  return paths;
}

/// Counters of an instruction that the first version wrote; results of earlier versions may lack those behind them.
constexpr std::size_t kCountersOfAllVersions = 2;

constexpr Allowed kLines{.most = std::numeric_limits<std::uint32_t>::max()};

/// Instructions were written most expensive first; `index` is where they stood.
void read_hotspots(Reader& reader, const ordered_json& kernel, const std::string& prefix, stats::KernelResult& out) {
  const ordered_json* const list = reader.find_list(kernel, prefix, "hotspots");
  if (list == nullptr) {
    return;
  }
  out.pcs.resize(list->size());
  std::vector<bool> is_read(list->size());
  for (std::size_t i = 0; i < list->size(); ++i) {
    const ordered_json& json = (*list)[i];
    const std::string here = prefix + "hotspots[" + std::to_string(i) + "].";
    const auto count = [&](std::string_view key) {
      return read_one<std::uint64_t>(reader, json, here, key, ValueKind::kInteger);
    };
    const std::uint64_t index = count("index");
    if (index >= out.pcs.size()) {
      reader.wrong(here + "index", "is not below the number of instructions");
      return;
    }
    if (is_read[index]) {
      reader.wrong(here + "index", "is " + std::to_string(index) + " again; allowed: each instruction once");
      return;
    }
    is_read[index] = true;
    stats::PcResult& pc = out.pcs[index];
    pc.pc = count("pc");
    const std::uint64_t line = count("line");
    if (const std::string complaint = complaint_about(line, kLines, true); !complaint.empty()) {
      reader.wrong(here + "line", complaint);
    }
    pc.line = static_cast<std::uint32_t>(line);
    pc.opcode = read_one<std::string>(reader, json, here, "opcode", ValueKind::kText);
    pc.text = read_one<std::string>(reader, json, here, "text", ValueKind::kText);
    for (std::size_t c = 0; c < stats::PcCounters::kFields.size(); ++c) {
      const auto& [name, unit, what, member] = stats::PcCounters::kFields[c];
      if (c < kCountersOfAllVersions || (json.is_object() && json.contains(name))) {
        pc.*member = count(name);
      }
    }
    for (std::size_t s = 0; s < stats::kStallCount; ++s) {
      pc.stalls[s] = count(stall_paths()[s]);
    }
    read_concurrent(reader, json, here, pc);
    read_producers(reader, json, here, out.pcs.size(), pc);
  }
}

void read_active_cycles(Reader& reader, const ordered_json& kernel, const std::string& prefix,
                        stats::KernelResult& out) {
  const ordered_json* const list = reader.find(kernel, prefix, "sm_active_cycles");
  if (list == nullptr) {
    return;
  }
  if (auto cycles = read_numbers(reader, *list, prefix + "sm_active_cycles")) {
    out.sm_active_cycles = std::move(*cycles);
  }
}

/// Only results of --advise have it.
void read_advice(Reader& reader, const ordered_json& kernel, const std::string& prefix, stats::KernelResult& out) {
  if (reader.find_if_any(kernel, "advice") == nullptr) {
    return;
  }
  const ordered_json* const list = reader.find_list(kernel, prefix, "advice");
  for (std::size_t i = 0; list != nullptr && i < list->size(); ++i) {
    const ordered_json& json = (*list)[i];
    const std::string here = prefix + "advice[" + std::to_string(i) + "].";
    const auto time = [&](std::string_view key) {
      const auto value = read_one<double>(reader, json, here, key, ValueKind::kReal);
      if (const std::string complaint = complaint_about(value, {}, true); !complaint.empty()) {
        reader.wrong(here + std::string(key), complaint);
      }
      return value;
    };
    out.advice.push_back({read_one<std::string>(reader, json, here, "what_if", ValueKind::kText), time("before_us"),
                          time("time_us"),
                          read_one<std::vector<std::string>>(reader, json, here, "findings", ValueKind::kWords)});
  }
}

/// Whether numbers that are allowed go together, too.
void check_together(Reader& reader, const std::string& prefix, const stats::Result& run,
                    const stats::KernelResult& kernel) {
  if (!reader.is_content()) {
    return;
  }
  if (kernel.simulated_ctas > kernel.grid.volume()) {
    reader.wrong(prefix + "simulated_ctas", "is " + std::to_string(kernel.simulated_ctas) + "; allowed: at most " +
                                                with_thousands(kernel.grid.volume()) + ", the CTAs of its 'grid'");
  }
  if (kernel.sm_active_cycles.size() != run.machine.sms) {
    reader.wrong(prefix + "sm_active_cycles", "has " + counted(kernel.sm_active_cycles.size(), "number") +
                                                  "; allowed: one of each SM, " + with_thousands(run.machine.sms) +
                                                  " as 'machine.sms' says");
  }
}

void read_kernel(Reader& reader, const ordered_json& json, stats::Result& out) {
  const std::string prefix = "kernels[" + std::to_string(out.kernels.size()) + "].";
  stats::KernelResult& kernel = out.kernels.emplace_back();
  if (!json.is_object()) {
    reader.wrong(prefix.substr(0, prefix.size() - 1), "is not an object");
    return;
  }
  read_columns(reader, json, prefix, kernel_columns(), out.complete, kernel);
  read_active_cycles(reader, json, prefix, kernel);
  read_advice(reader, json, prefix, kernel);
  read_hotspots(reader, json, prefix, kernel);
  read_record(reader, json, prefix, kernel.record);
  check_together(reader, prefix, out, kernel);
}

[[noreturn]] void refuse(const std::string& file, const std::string& why) {
  throw InputError({{file, 0, 0}, "is no result of gpusim: " + why, "expected a result saved with --json"});
}

[[noreturn]] void refuse_broken(const std::string& file) {
  refuse(file, "it is no JSON object, or was cut short");
}

/// What else the program writes as JSON, by its schema without the version.
struct OtherOutput {
  std::string_view schema;
  std::string_view what;
  std::string_view hint;
};

constexpr std::array kOtherOutputs{
    OtherOutput{"gpusim.compare", "a comparison that 'gpusim compare' wrote",
                "no command reads one; 'gpusim compare' takes the results themselves"},
    OtherOutput{"gpusim.validation", "a report that 'gpusim validate' wrote",
                "no command reads one; run 'gpusim validate' again"},
    OtherOutput{"gpusim.why", "an answer that --why wrote", "no command reads one; ask --why again"},
    OtherOutput{"gpusim.trace-info", "what 'gpusim trace info' wrote", "no command reads it"},
    OtherOutput{"gpusim.roofline", "what 'gpusim roofline' wrote", "no command reads it"},
    OtherOutput{"gpusim.occupancy", "what 'gpusim occupancy' wrote", "no command reads it"},
    OtherOutput{"gpusim.arch", "what 'gpusim arch show' wrote", "--arch reads a file of YAML"},
};

/// Throws unless the schema is ours.
void require_schema(const ordered_json& root, const std::string& file) {
  const auto schema = root.find("schema");
  const std::string name = schema != root.end() && schema->is_string() ? schema->get<std::string>() : "";
  if (name == kSchema) {
    return;
  }
  if (name.empty()) {
    refuse(file, "it has no 'schema'");
  }
  const std::string_view family = std::string_view(name).substr(0, name.rfind('/'));
  if (const auto* const other = std::ranges::find(kOtherOutputs, family, &OtherOutput::schema);
      other != kOtherOutputs.end()) {
    throw InputError({{file, 0, 0}, "is no result, but " + std::string(other->what), std::string(other->hint)});
  }
  const bool is_result = family == kSchema.substr(0, kSchema.rfind('/'));
  throw InputError({{file, 0, 0},
                    "'schema' is '" + clipped(printable(name), 60) + "', not '" + std::string(kSchema) + "'",
                    is_result ? "written by another version" : "expected a result saved with --json"});
}

/// Of a run that was stopped early there is at least a part of one.
const ordered_json* find_kernels(Reader& reader, const ordered_json& root) {
  const ordered_json* const list = reader.find_list(root, "", "kernels");
  if (list != nullptr && list->empty()) {
    reader.wrong("kernels", "is empty; allowed: one kernel or more");
  }
  return list;
}

/// `texts`: those of the list's elements that are not in it.
void read_kernels(Reader& reader, const ordered_json& list, const std::vector<std::string_view>& texts,
                  const std::string& file, stats::Result& out) {
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (texts.size() != list.size()) {
      read_kernel(reader, list[i], out);
      continue;
    }
    const std::optional<ordered_json> kernel = parse_tree(texts[i]);
    if (!kernel) {
      refuse_broken(file);
    }
    read_kernel(reader, *kernel, out);
  }
}

void read_lists(Reader& reader, const ordered_json& root, stats::Result& out) {
  const ordered_json* const parameters = reader.find(root, "", "parameters");
  if (parameters != nullptr && !parameters->is_object()) {
    reader.wrong("parameters", "is not an object");
  } else if (parameters != nullptr) {
    for (const auto& [name, value] : parameters->items()) {
      if (value.is_number_integer()) {
        out.parameters.emplace_back(name, value.get<std::int64_t>());
      } else if (value.is_string()) {
        out.parameters.emplace_back(name, stats::ParameterValue(0, value.get<std::string>()));
      } else {
        reader.wrong("parameters." + name, "is neither a whole number nor a word");
      }
    }
  }
  out.warnings = read_one<std::vector<std::string>>(reader, root, "", "warnings", ValueKind::kWords);
  const ordered_json* const guesses = reader.find_list(root, "", "guesses");
  for (std::size_t i = 0; guesses != nullptr && i < guesses->size(); ++i) {
    const std::string prefix = "guesses[" + std::to_string(i) + "].";
    const auto word = [&](std::string_view key) {
      return read_one<std::string>(reader, (*guesses)[i], prefix, key, ValueKind::kText);
    };
    out.guesses.push_back({word("key"), word("value"), word("kind"), word("source")});
  }
}

}  // namespace

stats::Result parse_json(std::string_view text, const std::string& file) {
  constexpr int kDeepest = 16;
  if (const std::size_t first = text.find_first_not_of(" \t\r\n");
      first == std::string_view::npos || text[first] != '{') {
    refuse_broken(file);
  }
  const SplitText split = split_kernels(text);
  if (split.depth > kDeepest) {
    refuse(file, "it is nested too deep");
  }
  const ordered_json root = ordered_json::parse(split.rest, nullptr, false);
  if (root.is_discarded() || !root.is_object()) {
    refuse_broken(file);
  }
  require_schema(root, file);
  Reader reader(file);
  stats::Result result;
  const ordered_json* const kernels = find_kernels(reader, root);  // first, since nothing says more when it is missing
  read_columns(reader, root, "", run_columns(), true, result);
  read_lists(reader, root, result);
  if (kernels != nullptr) {
    read_kernels(reader, *kernels, split.kernels, file, result);
  }
  if (const auto watch = root.find("watch"); watch != root.end()) {
    std::vector<std::size_t> instructions;
    for (const stats::KernelResult& kernel : result.kernels) {
      instructions.push_back(kernel.pcs.size());
    }
    result.watch = read_watch(reader, *watch, instructions);
  }
  reader.finish();
  return result;
}

}  // namespace gpusim::report
