// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cassert>
#include <charconv>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "sim/base/text.h"
#include "sim/model/stats/kernel_counts.h"
#include "sim/model/stats/run_facts.h"
#include "sim/output/report/columns.h"
#include "sim/output/report/record_json.h"
#include "sim/output/report/watch_json.h"
#include "sim/output/report/writers.h"

namespace gpusim::report {
namespace {

using Json = nlohmann::ordered_json;

struct ToJson {
  Json operator()(std::monostate) const { return nullptr; }
  Json operator()(const Dim3& value) const { return Json::array({value.x, value.y, value.z}); }
  template <class T>
  Json operator()(const T& value) const {
    return value;
  }
};

/// Puts a value at a dotted path, making the objects on the way.
void put(Json& root, std::string_view path, Json value) {
  Json* at = &root;
  for (std::size_t dot = path.find('.'); dot != std::string_view::npos; dot = path.find('.')) {
    at = &(*at)[std::string(path.substr(0, dot))];
    path.remove_prefix(dot + 1);
  }
  (*at)[std::string(path)] = std::move(value);
}

template <class Column, class Seen>
void put_columns(Json& root, const std::vector<Column>& columns, const Seen& seen) {
  for (const Column& column : columns) {
    const Value value = column.get(seen);
    if (!column.is_if_any || !std::holds_alternative<std::monostate>(value)) {
      put(root, column.path, std::visit(ToJson{}, value));
    }
  }
}

/// Derived; a reader leaves it alone.
Json findings_json(const KernelView& kernel) {
  Json out = Json::array();
  for (const Finding& finding : kernel.findings) {
    out.push_back({{"id", finding.id},
                   {"title", finding.title},
                   {"evidence", finding.evidence},
                   {"line", finding.line == 0 ? Json() : Json(finding.line)},
                   {"index", finding.index ? Json(*finding.index) : Json()},
                   {"change", finding.change},
                   {"gain_pct", finding.gain_pct},
                   {"estimate_pct", finding.estimate_pct},
                   {"simulated", finding.simulated}});
  }
  return out;
}

Json advice_json(const std::vector<stats::WhatIf>& advice) {
  Json out = Json::array();
  for (const stats::WhatIf& what_if : advice) {
    out.push_back({{"what_if", what_if.name},
                   {"time_us", what_if.time_us},
                   {"before_us", what_if.before_us},
                   {"gain_pct", what_if.gain_pct()},
                   {"findings", what_if.findings}});
  }
  return out;
}

Json roofs_json(const std::vector<RoofRow>& rows) {
  Json out = Json::array();
  for (const RoofRow& row : rows) {
    Json levels = Json::array();
    for (const RoofLevel& level : row.levels) {
      levels.push_back({{"level", level.name},
                        {"bytes", level.bytes},
                        {"bytes_per_second_peak", level.peak_bytes_per_second},
                        {"intensity", level.intensity ? Json(*level.intensity) : Json(nullptr)}});
    }
    out.push_back({{"class", isa::kFlopClassNames[static_cast<std::size_t>(row.flop_class)]},
                   {"flops_per_second", row.flops_per_second},
                   {"peak_flops_per_second", row.peak_flops_per_second},
                   {"levels", std::move(levels)}});
  }
  return out;
}

/// All but the hotspots, of which there are many.
Json kernel_json(const KernelView& view) {
  Json out = Json::object();
  put_columns(out, kernel_columns(), view);
  out["roofs"] = roofs_json(view.roofs);
  out["sm_active_cycles"] = view.counts.sm_active_cycles;
  out["findings"] = findings_json(view);
  if (!view.counts.advice.empty()) {
    out["advice"] = advice_json(view.counts.advice);
  }
  if (view.record != nullptr && view.has_details) {
    put_record(out, *view.record);
  }
  return out;
}

Json guesses_json(const stats::RunFacts& run) {
  Json out = Json::array();
  for (const stats::GuessedValue& guess : run.guesses) {
    out.push_back(
        {{"key", guess.key}, {"value", guess.value}, {"kind", source_kind_text(guess.kind)}, {"source", guess.source}});
  }
  return out;
}

/// Text that JSON writes as it is, between quotes.
bool is_plain(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return c >= ' ' && c <= '~' && c != '"' && c != '\\'; });
}

void append_text(std::string& out, const std::string& text) {
  if (is_plain(text)) {
    out.append(1, '"').append(text).append(1, '"');
  } else {
    // Text from input files may not be UTF-8; what is not becomes U+FFFD.
    out += Json(text).dump(-1, ' ', false, Json::error_handler_t::replace);
  }
}

/// As dump(), whose set-up for each value would be most of the work, up to where `out` is longer than `most`.
void append_compact(std::string& out, const Json& value, std::size_t most) {
  switch (value.type()) {
    case Json::value_t::string: append_text(out, value.get_ref<const std::string&>()); return;
    case Json::value_t::number_unsigned: append_number(out, value.get<std::uint64_t>()); return;
    case Json::value_t::number_integer: append_number(out, value.get<std::int64_t>()); return;
    case Json::value_t::object:
    case Json::value_t::array: break;
    default: out += value.dump(); return;
  }
  const bool is_object = value.is_object();
  out += is_object ? '{' : '[';
  bool first = true;
  for (auto item = value.begin(); item != value.end() && out.size() <= most; ++item) {
    out += first ? "" : ",";
    first = false;
    if (is_object) {
      append_text(out, item.key());
      out += ':';
    }
    append_compact(out, *item, most);
  }
  out += is_object ? '}' : ']';
}

/// Indented like dump(2), but what fits on a line, or lies as deep as a hotspot, stays on one.
void write(std::string& out, const Json& value, std::size_t depth) {
  constexpr std::size_t kLongestLine = 100;
  constexpr std::size_t kDeepest = 4;
  if (!value.is_structured() || value.empty() || depth >= kDeepest) {
    append_compact(out, value, std::string::npos);
    return;
  }
  if (depth > 1) {
    const std::size_t start = out.size();
    append_compact(out, value, start + kLongestLine);
    if (out.size() <= start + kLongestLine) {
      return;
    }
    out.resize(start);
  }
  const std::string indent(2 * (depth + 1), ' ');
  out += value.is_object() ? "{" : "[";
  bool first = true;
  for (const auto& item : value.items()) {
    out += first ? "\n" : ",\n";
    first = false;
    out += indent;
    if (value.is_object()) {
      append_text(out, item.key());
      out += ": ";
    }
    write(out, item.value(), depth + 1);
  }
  out += "\n" + std::string(2 * depth, ' ') + (value.is_object() ? "}" : "]");
}

/// `"key":`, after a comma where it is not the first of its object.
void append_key(std::string& out, std::string_view key) {
  out += out.back() == '{' ? "\"" : ",\"";
  out.append(key).append("\":");
}

/// The same and a number, in one piece: each instruction of the code has some forty. Keys are shorter than kMostKey.
void append_count(std::string& out, std::string_view key, std::uint64_t count) {
  constexpr std::size_t kMostKey = 64;
  constexpr std::size_t kMostDigits = 20;
  std::array<char, kMostKey + kMostDigits + std::string_view(",\"\":").size()> text;
  assert(key.size() < kMostKey);
  char* end = text.data();
  if (out.back() != '{') {
    *end++ = ',';
  }
  *end++ = '"';
  end = std::ranges::copy(key, end).out;
  *end++ = '"';
  *end++ = ':';
  end = std::to_chars(end, text.data() + text.size(), count).ptr;
  out.append(text.data(), static_cast<std::size_t>(end - text.data()));
}

enum class States : std::uint8_t { kAll, kSome };  ///< kSome: those that have cycles

void append_states(std::string& out, std::string_view key, const stats::StallCycles& cycles, States states) {
  append_key(out, key);
  out += '{';
  for (std::size_t i = 0; i < stats::kStallCount; ++i) {
    if (states == States::kAll || cycles[i] != 0) {
      append_count(out, stats::kStalls[i].key, cycles[i]);
    }
  }
  out += '}';
}

void append_producers(std::string& out, std::span<const stats::PcResult> all, const stats::PcResult& pc) {
  append_key(out, "producers");
  out += '[';
  for (const stats::Blame& blame : pc.producers) {
    const stats::PcResult& producer = all[blame.producer];
    out += out.back() == '[' ? "{" : ",{";
    append_count(out, "index", blame.producer);
    append_count(out, "pc", producer.pc);
    append_key(out, "opcode");
    append_text(out, producer.opcode);
    append_count(out, "line", producer.line);
    append_key(out, "state");
    append_text(out, std::string(stats::info_of(blame.state).key));
    append_count(out, "cycles", blame.cycles);
    out += '}';
  }
  out += ']';
}

void append_hotspot(std::string& out, std::span<const stats::PcResult> all, const stats::PcResult& pc) {
  out += '{';
  append_count(out, "pc", pc.pc);
  append_key(out, "opcode");
  append_text(out, pc.opcode);
  append_count(out, "line", pc.line);
  append_count(out, "index", static_cast<std::uint64_t>(&pc - all.data()));
  append_key(out, "text");
  append_text(out, pc.text);
  for (const auto& field : stats::PcCounters::kFields) {
    append_count(out, field.name, pc.*(field.member));
  }
  append_states(out, "stalls", pc.stalls, States::kAll);
  append_states(out, "concurrent", pc.concurrent, States::kSome);
  append_producers(out, all, pc);
  out += '}';
}

/// Those that cost most first, one per line. An object for each would be most of the work of a result.
void append_hotspots(std::string& out, std::span<const stats::PcResult> all) {
  std::vector<std::pair<std::uint64_t, const stats::PcResult*>> order;
  for (const stats::PcResult& pc : all) {
    order.emplace_back(stats::total(pc.stalls), &pc);
  }
  std::ranges::stable_sort(order, std::ranges::greater(), &std::pair<std::uint64_t, const stats::PcResult*>::first);
  out += '[';
  for (const auto& [cycles, pc] : order) {
    out += out.back() == '[' ? "\n        " : ",\n        ";
    append_hotspot(out, all, *pc);
  }
  out += all.empty() ? "]" : "\n      ]";
}

/// As write() would, at its depth.
void write_kernel(std::string& out, const KernelView& kernel) {
  write(out, kernel_json(kernel), 2);
  out.resize(out.size() - std::string_view("\n    }").size());
  out += ",\n      \"hotspots\": ";
  append_hotspots(out, kernel.has_details ? kernel.instructions : std::span<const stats::PcResult>());
  out += "\n    }";
}

/// As write() would the array of them, with one in memory at a time: an application may launch many thousands.
void write_kernels(std::string& out, const std::vector<KernelView>& kernels) {
  out += "[";
  for (std::size_t i = 0; i < kernels.size(); ++i) {
    out += i == 0 ? "\n    " : ",\n    ";
    write_kernel(out, kernels[i]);
  }
  out += kernels.empty() ? "]" : "\n  ]";
}

}  // namespace

std::string write_json(const View& view) {
  Json root = Json::object();
  put_columns(root, run_columns(), view);
  root["parameters"] = Json::object();
  for (const auto& [name, value] : view.run.parameters) {
    root["parameters"][name] = value.word.empty() ? Json(value.number) : Json(value.word);
  }
  root["warnings"] = view.run.warnings;
  root["guesses"] = guesses_json(view.run);
  std::string out;
  write(out, root, 0);
  out.resize(out.size() - std::string_view("\n}").size());
  out += ",\n  \"kernels\": ";
  write_kernels(out, view.kernels);
  if (!view.watch.empty()) {
    out += ",\n  \"watch\": ";
    append_watch(out, view.watch);
  }
  out += "\n}\n";
  return out;
}

}  // namespace gpusim::report
