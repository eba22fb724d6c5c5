// SPDX-License-Identifier: MIT
// Reads a saved result. The table of columns says which keys there must be and of what type, so writing and reading
// cannot drift apart.
#include <algorithm>
#include <array>
#include <limits>
#include <optional>

#include <nlohmann/json.hpp>

#include "sim/base/problem.h"
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

template <class Column, class Kept>
void read_columns(Reader& reader, const ordered_json& json, const std::string& prefix,
                  const std::vector<Column>& columns, Kept& kept) {
  for (const Column& column : columns) {
    // What follows from others is not read back, and earlier versions derived less.
    const bool may_lack = column.is_if_any || column.is_later || !column.set;
    const ordered_json* const at =
        may_lack ? reader.find_if_any(json, column.path) : reader.find(json, prefix, column.path);
    if (at == nullptr) {
      continue;
    }
    const std::optional<Value> value = value_of(*at, column.kind);
    if (!value) {
      reader.wrong(prefix + column.path, "is not " + std::string(name_of(column.kind)));
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
  const ordered_json& list = spot["producers"];
  if (!list.is_array()) {
    reader.wrong(here + "producers", "is not a list");
    return;
  }
  for (std::size_t i = 0; i < list.size(); ++i) {
    const std::string prefix = here + "producers[" + std::to_string(i) + "].";
    const auto index = read_one<std::uint64_t>(reader, list[i], prefix, "index", ValueKind::kInteger);
    const auto cycles = read_one<std::uint64_t>(reader, list[i], prefix, "cycles", ValueKind::kInteger);
    const auto state = state_of(read_one<std::string>(reader, list[i], prefix, "state", ValueKind::kText));
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

/// Instructions were written most expensive first; `index` is where they stood.
void read_hotspots(Reader& reader, const ordered_json& kernel, const std::string& prefix, stats::KernelResult& out) {
  const ordered_json* const list = reader.find(kernel, prefix, "hotspots");
  if (list == nullptr || !list->is_array()) {
    reader.wrong(prefix + "hotspots", "is not a list");
    return;
  }
  out.pcs.resize(list->size());
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
    stats::PcResult& pc = out.pcs[index];
    pc.pc = count("pc");
    pc.line = static_cast<std::uint32_t>(count("line"));
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
  if (!kernel.is_object() || !kernel.contains("advice")) {
    return;
  }
  const ordered_json& list = kernel["advice"];
  if (!list.is_array()) {
    reader.wrong(prefix + "advice", "is not a list");
    return;
  }
  for (std::size_t i = 0; i < list.size(); ++i) {
    const std::string here = prefix + "advice[" + std::to_string(i) + "].";
    out.advice.push_back({read_one<std::string>(reader, list[i], here, "what_if", ValueKind::kText),
                          read_one<double>(reader, list[i], here, "before_us", ValueKind::kReal),
                          read_one<double>(reader, list[i], here, "time_us", ValueKind::kReal),
                          read_one<std::vector<std::string>>(reader, list[i], here, "findings", ValueKind::kWords)});
  }
}

void read_kernel(Reader& reader, const ordered_json& json, stats::Result& out) {
  const std::string prefix = "kernels[" + std::to_string(out.kernels.size()) + "].";
  stats::KernelResult& kernel = out.kernels.emplace_back();
  read_columns(reader, json, prefix, kernel_columns(), kernel);
  read_active_cycles(reader, json, prefix, kernel);
  read_advice(reader, json, prefix, kernel);
  read_hotspots(reader, json, prefix, kernel);
  read_record(reader, json, prefix, kernel.record);
}

[[noreturn]] void refuse_broken(const std::string& file) {
  throw InputError({{file, 0, 0}, "is no JSON object, or was cut short", "expected a result saved with --json"});
}

/// `texts`: those of the list's elements that are not in it.
void read_kernels(Reader& reader, const ordered_json& root, const std::vector<std::string_view>& texts,
                  const std::string& file, stats::Result& out) {
  const ordered_json* const list = reader.find(root, "", "kernels");
  if (list == nullptr || !list->is_array()) {
    reader.wrong("kernels", "is not a list");
    return;
  }
  for (std::size_t i = 0; i < list->size(); ++i) {
    if (texts.size() != list->size()) {
      read_kernel(reader, (*list)[i], out);
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
  if (const ordered_json* const parameters = reader.find(root, "", "parameters"); parameters != nullptr) {
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
  const ordered_json* const guesses = reader.find(root, "", "guesses");
  for (std::size_t i = 0; guesses != nullptr && guesses->is_array() && i < guesses->size(); ++i) {
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
  const SplitText split = split_kernels(text);
  if (split.depth > kDeepest) {
    throw InputError({{file, 0, 0}, "is no result of gpusim: nested too deep", ""});
  }
  const ordered_json root = ordered_json::parse(split.rest, nullptr, false);
  if (root.is_discarded() || !root.is_object()) {
    refuse_broken(file);
  }
  const auto schema = root.find("schema");
  if (schema == root.end() || !schema->is_string() || schema->get<std::string>() != kSchema) {
    throw InputError({{file, 0, 0}, "'schema' is not '" + std::string(kSchema) + "'", "written by another version?"});
  }
  Reader reader(file);
  stats::Result result;
  read_columns(reader, root, "", run_columns(), result);
  read_lists(reader, root, result);
  read_kernels(reader, root, split.kernels, file, result);
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
