// SPDX-License-Identifier: MIT
// Reads a saved result. The table of columns says which keys there must be and of what type, so writing and reading
// cannot drift apart.
#include <algorithm>
#include <array>
#include <limits>
#include <optional>

#include "sim/base/problem.h"
#include "sim/base/text.h"
#include "sim/model/stats/result.h"
#include "sim/output/report/columns.h"
#include "sim/output/report/json_parse.h"
#include "sim/output/report/json_reader.h"
#include "sim/output/report/json_split.h"
#include "sim/output/report/record_json.h"
#include "sim/output/report/report.h"
#include "sim/output/report/schema.h"
#include "sim/output/report/watch_json.h"

namespace gpusim::report {
namespace {

/// `is_whole`: of a run that was not stopped before its end.
template <class Column, class Kept>
void read_columns(Reader& reader, JsonFinder& in, const std::string& prefix, const std::vector<Column>& columns,
                  bool is_whole, Kept& kept) {
  for (const Column& column : columns) {
    // What follows from others is not read back, and earlier versions derived less.
    const bool may_lack = column.is_if_any || column.is_later || !column.set;
    const std::optional<JsonValue> at = may_lack ? in.find(column.path) : reader.find(in, prefix, column.path);
    if (!at) {
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
void read_concurrent(Reader& reader, JsonFinder& spot, const std::string& here, stats::PcResult& pc) {
  const std::optional<JsonValue> at = spot.find("concurrent");
  if (!at) {
    return;
  }
  JsonFinder in(*at);
  for (std::size_t s = 0; s < stats::kStallCount; ++s) {
    if (in.find(stats::kStalls[s].key)) {
      pc.concurrent[s] = reader.count(in, here + "concurrent.", stats::kStalls[s].key);
    }
  }
}

/// Results of earlier versions have none.
void read_producers(Reader& reader, JsonFinder& spot, const std::string& here, std::size_t instructions,
                    stats::PcResult& pc) {
  if (!spot.find("producers")) {
    return;
  }
  const std::optional<JsonList> list = reader.find_list(spot, here, "producers");
  if (!list) {
    return;
  }
  std::size_t i = 0;
  for (const JsonValue json : *list) {
    const std::string prefix = here + "producers[" + std::to_string(i++) + "].";
    JsonFinder in(json);
    const std::uint64_t index = reader.count(in, prefix, "index");
    const std::uint64_t cycles = reader.count(in, prefix, "cycles");
    const auto state = state_of(read_one<std::string>(reader, in, prefix, "state", ValueKind::kText));
    if (index >= instructions || !state) {
      reader.wrong(prefix + (state ? "index" : "state"),
                   state ? "is not below the number of instructions" : "is not a warp state");
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

/// `here`: the key of the instruction, with a dot behind it.
void read_counts(Reader& reader, JsonFinder& spot, const std::string& here, stats::PcResult& pc) {
  pc.pc = reader.count(spot, here, "pc");
  const std::uint64_t line = reader.count(spot, here, "line");
  if (const std::string complaint = complaint_about(line, kLines, true); !complaint.empty()) {
    reader.wrong(here + "line", complaint);
  }
  pc.line = static_cast<std::uint32_t>(line);
  pc.opcode = read_one<std::string>(reader, spot, here, "opcode", ValueKind::kText);
  pc.text = read_one<std::string>(reader, spot, here, "text", ValueKind::kText);
  for (std::size_t c = 0; c < stats::PcCounters::kFields.size(); ++c) {
    const auto& [name, unit, what, member] = stats::PcCounters::kFields[c];
    if (c < kCountersOfAllVersions || spot.find(name)) {
      pc.*member = reader.count(spot, here, name);
    }
  }
  for (std::size_t s = 0; s < stats::kStallCount; ++s) {
    pc.stalls[s] = reader.count(spot, here, stall_paths()[s]);
  }
}

/// Instructions were written most expensive first; `index` is where they stood.
void read_hotspots(Reader& reader, JsonFinder& kernel, const std::string& prefix, stats::KernelResult& out) {
  const std::optional<JsonList> list = reader.find_list(kernel, prefix, "hotspots");
  if (!list) {
    return;
  }
  out.pcs.resize(list->size());
  std::vector<bool> is_read(list->size());
  std::size_t i = 0;
  for (const JsonValue json : *list) {
    const std::string here = prefix + "hotspots[" + std::to_string(i++) + "].";
    JsonFinder spot(json);
    const std::uint64_t index = reader.count(spot, here, "index");
    if (index >= out.pcs.size()) {
      reader.wrong(here + "index", "is not below the number of instructions");
      return;
    }
    if (is_read[index]) {
      reader.wrong(here + "index", "is " + std::to_string(index) + " again; allowed: each instruction once");
      return;
    }
    is_read[index] = true;
    read_counts(reader, spot, here, out.pcs[index]);
    read_concurrent(reader, spot, here, out.pcs[index]);
    read_producers(reader, spot, here, out.pcs.size(), out.pcs[index]);
  }
}

void read_active_cycles(Reader& reader, JsonFinder& kernel, const std::string& prefix, stats::KernelResult& out) {
  const std::optional<JsonValue> list = reader.find(kernel, prefix, "sm_active_cycles");
  if (!list) {
    return;
  }
  if (auto cycles = read_numbers(reader, *list, prefix + "sm_active_cycles")) {
    out.sm_active_cycles = std::move(*cycles);
  }
}

/// Only results of --advise have it.
void read_advice(Reader& reader, JsonFinder& kernel, const std::string& prefix, stats::KernelResult& out) {
  if (!kernel.find("advice")) {
    return;
  }
  const std::optional<JsonList> list = reader.find_list(kernel, prefix, "advice");
  if (!list) {
    return;
  }
  std::size_t i = 0;
  for (const JsonValue json : *list) {
    const std::string here = prefix + "advice[" + std::to_string(i++) + "].";
    JsonFinder in(json);
    const auto time = [&](std::string_view key) {
      const auto value = read_one<double>(reader, in, here, key, ValueKind::kReal);
      if (const std::string complaint = complaint_about(value, {}, true); !complaint.empty()) {
        reader.wrong(here + std::string(key), complaint);
      }
      return value;
    };
    out.advice.push_back({read_one<std::string>(reader, in, here, "what_if", ValueKind::kText), time("before_us"),
                          time("time_us"),
                          read_one<std::vector<std::string>>(reader, in, here, "findings", ValueKind::kWords)});
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

void read_kernel(Reader& reader, const JsonValue& json, stats::Result& out) {
  const std::string prefix = "kernels[" + std::to_string(out.kernels.size()) + "].";
  stats::KernelResult& kernel = out.kernels.emplace_back();
  if (!object_of(json)) {
    reader.wrong(prefix.substr(0, prefix.size() - 1), "is not an object");
    return;
  }
  JsonFinder in(json);
  read_columns(reader, in, prefix, kernel_columns(), out.complete, kernel);
  read_active_cycles(reader, in, prefix, kernel);
  read_advice(reader, in, prefix, kernel);
  read_hotspots(reader, in, prefix, kernel);
  read_record(reader, in, prefix, kernel.record);
  check_together(reader, prefix, out, kernel);
}

[[noreturn]] void refuse(const std::string& file, const std::string& why) {
  throw InputError({{file, 0, 0}, "is not a result of gpusim: " + why, "expected a result saved with --json"});
}

[[noreturn]] void refuse_broken(const std::string& file, std::string_view text) {
  const std::optional<JsonFault> fault = first_fault(text);
  if (!fault) {
    refuse(file, "it is not a JSON object");
  }
  throw InputError({{file, fault->place.line, fault->place.column},
                    std::string("is not a result of gpusim: ") +
                        (fault->is_end ? "the file was cut short" : "it is not JSON from here on"),
                    "expected a result saved with --json"});
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
void require_schema(JsonFinder& root, const std::string& file) {
  const std::optional<JsonValue> schema = root.find("schema");
  const std::string name(schema ? text_of(*schema).value_or("") : "");
  if (name == kSchema) {
    return;
  }
  if (name.empty()) {
    refuse(file, "it has no 'schema'");
  }
  const std::string_view family = std::string_view(name).substr(0, name.rfind('/'));
  if (const auto* const other = std::ranges::find(kOtherOutputs, family, &OtherOutput::schema);
      other != kOtherOutputs.end()) {
    throw InputError({{file, 0, 0}, "is not a result, but " + std::string(other->what), std::string(other->hint)});
  }
  const bool is_result = family == kSchema.substr(0, kSchema.rfind('/'));
  throw InputError({{file, 0, 0},
                    "'schema' is '" + clipped(printable(name), 60) + "', not '" + std::string(kSchema) + "'",
                    is_result ? "written by another version" : "expected a result saved with --json"});
}

/// The list of kernels. Even a run that was stopped early has at least a part of one.
std::optional<JsonList> find_kernels(Reader& reader, JsonFinder& root) {
  const std::optional<JsonList> list = reader.find_list(root, "", "kernels");
  if (list && list->size() == 0) {
    reader.wrong("kernels", "is empty; allowed: one kernel or more");
  }
  return list;
}

/// `texts`: those of the list's elements that are not in it. False when one is not JSON.
bool read_kernels(Reader& reader, const JsonList& list, const std::vector<std::string_view>& texts,
                  stats::Result& out) {
  JsonParser parser;
  std::size_t i = 0;
  for (const JsonValue element : list) {
    const std::optional<JsonValue> kernel = texts.size() == list.size() ? parser.parse(texts[i++]) : element;
    if (!kernel) {
      return false;
    }
    read_kernel(reader, *kernel, out);
  }
  return true;
}

void read_parameters(Reader& reader, const JsonObject& parameters, stats::Result& out) {
  for (const auto& [name, value] : parameters) {
    std::int64_t number = 0;
    if (const auto count = count_of(value)) {
      out.parameters.emplace_back(name, static_cast<std::int64_t>(*count));
    } else if (value.get(number) == simdjson::SUCCESS) {
      out.parameters.emplace_back(name, number);
    } else if (const auto word = text_of(value)) {
      out.parameters.emplace_back(name, stats::ParameterValue(0, std::string(*word)));
    } else {
      reader.wrong("parameters." + std::string(name), "is neither a whole number nor a word");
    }
  }
}

void read_lists(Reader& reader, JsonFinder& root, stats::Result& out) {
  const std::optional<JsonValue> parameters = reader.find(root, "", "parameters");
  if (parameters && !object_of(*parameters)) {
    reader.wrong("parameters", "is not an object");
  } else if (parameters) {
    read_parameters(reader, *object_of(*parameters), out);
  }
  out.warnings = read_one<std::vector<std::string>>(reader, root, "", "warnings", ValueKind::kWords);
  const std::optional<JsonList> guesses = reader.find_list(root, "", "guesses");
  if (!guesses) {
    return;
  }
  std::size_t i = 0;
  for (const JsonValue guess : *guesses) {
    const std::string prefix = "guesses[" + std::to_string(i++) + "].";
    JsonFinder in(guess);
    const auto word = [&](std::string_view key) {
      return read_one<std::string>(reader, in, prefix, key, ValueKind::kText);
    };
    out.guesses.push_back(
        {word("key"), word("value"), read_word<SourceKind>(reader, in, prefix, "kind", kSourceKinds), word("source")});
  }
}

}  // namespace

stats::Result parse_json(std::string_view text, const std::string& file) {
  constexpr int kDeepest = 16;
  if (const std::size_t first = text.find_first_not_of(" \t\r\n");
      first == std::string_view::npos || text[first] != '{') {
    refuse(file,
           text.starts_with("\x1f\x8b") ? "it is compressed with gzip; unpack it first" : "it is not a JSON object");
  }
  const SplitText split = split_kernels(text);
  if (split.depth > kDeepest) {
    refuse(file, "it is nested too deep");
  }
  JsonParser parser;
  const std::optional<JsonValue> json = parser.parse(split.rest);
  if (!json || !object_of(*json)) {
    refuse_broken(file, text);
  }
  JsonFinder root(*json);
  require_schema(root, file);
  Reader reader(file);
  stats::Result result;
  const std::optional<JsonList> kernels = find_kernels(reader, root);  // nothing says more when it is missing
  read_columns(reader, root, "", run_columns(), true, result);
  read_lists(reader, root, result);
  if (kernels && !read_kernels(reader, *kernels, split.kernels, result)) {
    refuse_broken(file, text);
  }
  if (const std::optional<JsonValue> watch = root.find("watch")) {
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
