// SPDX-License-Identifier: MIT
#include "sim/output/report/record_json.h"

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "sim/model/stats/interval_table.h"

namespace gpusim::report {
namespace {

using nlohmann::ordered_json;

/// One number an interval, got from its row.
template <class Rows, class Get>
ordered_json column_json(const Rows& rows, Get get) {
  ordered_json out = ordered_json::array();
  for (const auto& row : rows) {
    out.push_back(get(row));
  }
  return out;
}

/// States without any cycles are left out.
ordered_json series_json(const stats::TimeSeries& series) {
  ordered_json states = ordered_json::object();
  for (std::size_t s = 0; s < stats::kStallCount; ++s) {
    if (std::ranges::any_of(series.states, [s](const stats::StallCycles& row) { return row[s] != 0; })) {
      states[std::string(stats::kStalls[s].key)] =
          column_json(series.states, [s](const stats::StallCycles& row) { return row[s]; });
    }
  }
  ordered_json counters = ordered_json::object();
  ordered_json after = ordered_json::object();
  for (const auto& field : stats::TrafficCounters::kFields) {
    counters[std::string(field.name)] =
        column_json(series.traffic, [&field](const stats::TrafficCounters& row) { return row.*(field.member); });
    if (const std::uint64_t count = series.traffic_after.*(field.member); count != 0) {
      after[std::string(field.name)] = count;
    }
  }
  return {{"interval_cycles", series.interval_cycles},
          {"intervals", series.states.size()},
          {"states", std::move(states)},
          {"counters", std::move(counters)},
          {"counters_after", std::move(after)}};
}

/// What is read must have as many numbers as there are intervals.
std::vector<std::uint64_t> read_column(Reader& reader, const JsonValue& json, const std::string& key,
                                       std::size_t intervals) {
  auto numbers = read_numbers(reader, json, key);
  if (numbers && numbers->size() != intervals) {
    reader.wrong(key, "does not have " + std::to_string(intervals) + " numbers");
  }
  std::vector<std::uint64_t> column = std::move(numbers).value_or(std::vector<std::uint64_t>());
  column.resize(intervals);
  return column;
}

void read_states(Reader& reader, const JsonObject& states, const std::string& prefix, stats::TimeSeries& series) {
  for (const auto& [name, list] : states) {
    const std::string key = prefix + std::string(name);
    const std::optional<stats::Stall> state = state_of(name);
    if (!state) {
      reader.wrong(key, "is not a warp state");
      return;
    }
    const std::vector<std::uint64_t> column = read_column(reader, list, key, series.states.size());
    for (std::size_t i = 0; i < column.size(); ++i) {
      series.states[i][static_cast<std::size_t>(*state)] = column[i];
    }
  }
}

/// Counters that a later version adds are missing in results of earlier ones.
void read_traffic(Reader& reader, JsonFinder& counters, const std::string& prefix, stats::TimeSeries& series) {
  for (const auto& field : stats::TrafficCounters::kFields) {
    const std::optional<JsonValue> list = counters.find(field.name);
    if (!list) {
      continue;
    }
    const std::string key = prefix + std::string(field.name);
    const std::vector<std::uint64_t> column = read_column(reader, *list, key, series.traffic.size());
    for (std::size_t i = 0; i < column.size(); ++i) {
      series.traffic[i].*(field.member) = column[i];
    }
  }
}

void read_series(Reader& reader, const JsonValue& json, const std::string& prefix, stats::TimeSeries& series) {
  JsonFinder in(json);
  series.interval_cycles = reader.count(in, prefix, "interval_cycles");
  const std::uint64_t intervals = reader.count(in, prefix, "intervals");
  if (series.interval_cycles == 0 || intervals > stats::kMostIntervals) {
    reader.wrong(prefix + (series.interval_cycles == 0 ? "interval_cycles" : "intervals"),
                 series.interval_cycles == 0 ? "is 0" : "is more than " + std::to_string(stats::kMostIntervals));
    return;
  }
  series.states.resize(intervals);
  series.traffic.resize(intervals);
  const std::optional<JsonValue> states = reader.find(in, prefix, "states");
  const std::optional<JsonValue> counters = reader.find(in, prefix, "counters");
  for (const auto& [key, part] : {std::pair("states", states), std::pair("counters", counters)}) {
    if (part && !object_of(*part)) {
      reader.wrong(prefix + key, "is not an object");
    }
  }
  if (!states || !object_of(*states) || !counters || !object_of(*counters)) {
    return;
  }
  read_states(reader, *object_of(*states), prefix + "states.", series);
  JsonFinder in_counters(*counters);
  read_traffic(reader, in_counters, prefix + "counters.", series);
  for (const auto& field : stats::TrafficCounters::kFields) {
    const std::string key = "counters_after." + std::string(field.name);
    if (in.find(key)) {
      series.traffic_after.*(field.member) = reader.count(in, prefix, key);
    }
  }
}

void read_ctas(Reader& reader, const JsonValue& json, const std::string& prefix, stats::KernelRecord& record) {
  constexpr std::size_t kNumbers = 5;
  constexpr std::uint64_t kMost32 = std::numeric_limits<std::uint32_t>::max();
  JsonFinder in(json);
  const std::optional<JsonList> rows = reader.find_list(in, prefix, "rows");
  if (!rows) {
    return;
  }
  if (rows->size() > stats::kMostCtaSpans) {
    reader.wrong(prefix + "rows", "is longer than " + std::to_string(stats::kMostCtaSpans));
    return;
  }
  for (std::size_t i = 0; const JsonValue list : *rows) {
    const std::string key = prefix + "rows[" + std::to_string(i++) + "]";
    const auto row = read_numbers(reader, list, key);
    if (!row) {
      return;
    }
    if (row->size() != kNumbers || (*row)[1] > kMost32 || (*row)[2] > kMost32 || (*row)[3] > (*row)[4]) {
      reader.wrong(key, "is not a CTA, its SM and slot there, and the cycles of its begin and end");
      return;
    }
    record.ctas.push_back({(*row)[0], static_cast<std::uint32_t>((*row)[1]), static_cast<std::uint32_t>((*row)[2]),
                           (*row)[3], (*row)[4]});
  }
}

void read_curves(Reader& reader, const JsonList& list, const std::string& prefix, stats::KernelRecord& record) {
  for (std::size_t i = 0; const JsonValue json : list) {
    const std::string here = prefix + "[" + std::to_string(i++) + "].";
    JsonFinder in(json);
    stats::OccupancyCurve& curve = record.occupancy_curves.emplace_back();
    curve.of = read_word<stats::Knob>(reader, in, here, "of", stats::kKnobNames);
    curve.at = reader.count(in, here, "at");
    const std::optional<JsonValue> values = reader.find(in, here, "values");
    const std::optional<JsonValue> warps = reader.find(in, here, "warps");
    if (values && warps) {
      curve.values = read_numbers(reader, *values, here + "values").value_or(std::vector<std::uint64_t>());
      curve.warps = read_column(reader, *warps, here + "warps", curve.values.size());
    }
  }
}

}  // namespace

void put_record(ordered_json& kernel, const stats::KernelRecord& record) {
  kernel["series"] = series_json(record.series);
  ordered_json rows = ordered_json::array();
  for (const stats::CtaSpan& span : record.ctas) {
    rows.push_back({span.cta, span.sm, span.slot, span.begin, span.end});
  }
  kernel["ctas"] = {{"columns", {"cta", "sm", "slot", "begin", "end"}}, {"rows", std::move(rows)}};
  kernel["sms"] = {{"ctas", record.sm_ctas}, {"warp_instructions", record.sm_warp_instructions}};
  ordered_json curves = ordered_json::array();
  for (const stats::OccupancyCurve& curve : record.occupancy_curves) {
    curves.push_back({{"of", stats::kKnobNames[static_cast<std::size_t>(curve.of)]},
                      {"at", curve.at},
                      {"values", curve.values},
                      {"warps", curve.warps}});
  }
  kernel["occupancy_curves"] = std::move(curves);
}

void read_record(Reader& reader, JsonFinder& kernel, const std::string& prefix,
                 std::optional<stats::KernelRecord>& kept) {
  const std::optional<JsonValue> series = kernel.find("series");
  if (!series) {
    return;
  }
  stats::KernelRecord& record = kept.emplace();
  read_series(reader, *series, prefix + "series.", record.series);
  if (const std::optional<JsonValue> ctas = reader.find(kernel, prefix, "ctas")) {
    read_ctas(reader, *ctas, prefix + "ctas.", record);
  }
  if (const std::optional<JsonList> curves = reader.find_list(kernel, prefix, "occupancy_curves")) {
    read_curves(reader, *curves, prefix + "occupancy_curves", record);
  }
  for (const auto& [path, member] : {std::pair("sms.ctas", &stats::KernelRecord::sm_ctas),
                                     std::pair("sms.warp_instructions", &stats::KernelRecord::sm_warp_instructions)}) {
    if (const std::optional<JsonValue> list = reader.find(kernel, prefix, path)) {
      record.*member = read_numbers(reader, *list, prefix + path).value_or(std::vector<std::uint64_t>());
    }
  }
}

}  // namespace gpusim::report
