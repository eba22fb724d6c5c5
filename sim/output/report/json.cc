// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "sim/base/text.h"
#include "sim/output/advice/rules.h"
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

Json states_json(const stats::StallCycles& stalls) {
  Json out = Json::object();
  for (std::size_t i = 0; i < stats::kStallCount; ++i) {
    out[std::string(stats::kStalls[i].key)] = stalls[i];
  }
  return out;
}

/// Only states that have some.
Json some_states_json(const stats::StallCycles& cycles) {
  Json out = Json::object();
  for (std::size_t i = 0; i < stats::kStallCount; ++i) {
    if (cycles[i] != 0) {
      out[std::string(stats::kStalls[i].key)] = cycles[i];
    }
  }
  return out;
}

Json producers_json(std::span<const stats::PcResult> all, const stats::PcResult& pc) {
  Json out = Json::array();
  for (const stats::Blame& blame : pc.producers) {
    const stats::PcResult& producer = all[blame.producer];
    out.push_back({{"index", blame.producer},
                   {"pc", producer.pc},
                   {"opcode", producer.opcode},
                   {"line", producer.line},
                   {"state", stats::info_of(blame.state).key},
                   {"cycles", blame.cycles}});
  }
  return out;
}

/// Derived; a reader leaves it alone.
Json findings_json(const KernelView& kernel) {
  Json out = Json::array();
  for (const advice::Finding& finding : advice::findings(kernel)) {
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

Json hotspots_json(std::span<const stats::PcResult> all) {
  std::vector<const stats::PcResult*> order;
  for (const stats::PcResult& pc : all) {
    order.push_back(&pc);
  }
  std::stable_sort(order.begin(), order.end(), [](const stats::PcResult* a, const stats::PcResult* b) {
    return stats::total(a->stalls) > stats::total(b->stalls);
  });
  Json out = Json::array();
  for (const stats::PcResult* pc : order) {
    Json spot{
        {"pc", pc->pc}, {"opcode", pc->opcode}, {"line", pc->line}, {"index", pc - all.data()}, {"text", pc->text}};
    for (const auto& field : stats::PcCounters::kFields) {
      spot[std::string(field.name)] = pc->*(field.member);
    }
    spot["stalls"] = states_json(pc->stalls);
    spot["concurrent"] = some_states_json(pc->concurrent);
    spot["producers"] = producers_json(all, *pc);
    out.push_back(std::move(spot));
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

Json kernel_json(const KernelView& view) {
  Json out = Json::object();
  put_columns(out, kernel_columns(), view);
  out["roofs"] = roofs_json(view.roofs);
  out["sm_active_cycles"] = view.counts.sm_active_cycles;
  out["findings"] = findings_json(view);
  if (!view.counts.advice.empty()) {
    out["advice"] = advice_json(view.counts.advice);
  }
  if (view.record != nullptr) {
    put_record(out, *view.record);
  }
  out["hotspots"] = hotspots_json(view.instructions);
  return out;
}

Json guesses_json(const stats::RunFacts& run) {
  Json out = Json::array();
  for (const stats::GuessedValue& guess : run.guesses) {
    out.push_back({{"key", guess.key}, {"value", guess.value}, {"kind", guess.kind}, {"source", guess.source}});
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
    // Text from input files may be no UTF-8; what is not becomes U+FFFD.
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

/// As write() would the array of them, with one in memory at a time: an application may launch many thousands.
void write_kernels(std::string& out, const std::vector<KernelView>& kernels) {
  out += "[";
  for (std::size_t i = 0; i < kernels.size(); ++i) {
    out += i == 0 ? "\n    " : ",\n    ";
    write(out, kernel_json(kernels[i]), 2);
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
  return out + "\n}\n";
}

}  // namespace gpusim::report
