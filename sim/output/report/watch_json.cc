// SPDX-License-Identifier: MIT
#include "sim/output/report/watch_json.h"

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <string_view>
#include <tuple>
#include <type_traits>

#include "sim/base/text.h"

namespace gpusim::report {
namespace {

using stats::WatchInterval;

// What a number of a row may be.
constexpr std::uint64_t kAny32 = std::numeric_limits<std::uint32_t>::max();
constexpr std::uint64_t kAny64 = std::numeric_limits<std::uint64_t>::max();

/// A column of numbers. `set` gets no more than `most`.
struct NumberColumn {
  std::string_view name;
  std::uint64_t most;
  std::uint64_t (*get)(const WatchInterval& interval);
  void (*set)(WatchInterval& interval, std::uint64_t value);
};

template <auto kMember>
constexpr NumberColumn number(std::string_view name) {
  using Number = std::remove_cvref_t<decltype(WatchInterval().*kMember)>;
  return {name, std::numeric_limits<Number>::max(),
          [](const WatchInterval& interval) { return static_cast<std::uint64_t>(interval.*kMember); },
          [](WatchInterval& interval, std::uint64_t value) { interval.*kMember = static_cast<Number>(value); }};
}

// In the order of the JSON, where `state` stands before `index`, and `producer` last.
constexpr std::array kNumbers{
    number<&WatchInterval::kernel>("kernel"),     number<&WatchInterval::sm>("sm"),
    number<&WatchInterval::sub_core>("sub_core"), number<&WatchInterval::warp_slot>("warp_slot"),
    number<&WatchInterval::cta>("cta"),           number<&WatchInterval::warp>("warp"),
    number<&WatchInterval::begin>("begin"),       number<&WatchInterval::end>("end"),
    number<&WatchInterval::pc>("index"),          number<&WatchInterval::lanes>("lanes"),
    number<&WatchInterval::lanes_on>("lanes_on")};
constexpr std::size_t kStatePlace = 8;
constexpr std::string_view kState = "state";
constexpr std::string_view kProducer = "producer";

void append_row(std::string& out, const WatchInterval& interval) {
  char before = '[';
  for (std::size_t i = 0; i < kNumbers.size(); ++i) {
    out += before;
    if (i == kStatePlace) {
      out += '"';
      out += stats::info_of(interval.state).key;
      out += "\",";
    }
    append_number(out, kNumbers[i].get(interval));
    before = ',';
  }
  if (interval.producer == stats::kNoProducer) {
    out += ",null]";
  } else {
    out += ',';
    append_number(out, std::uint64_t{interval.producer});
    out += ']';
  }
}

/// Where each known column stands in a row of the file.
struct Places {
  std::array<std::size_t, kNumbers.size()> numbers{};
  std::size_t state = 0;
  std::size_t producer = 0;
  std::size_t columns = 0;
};

std::optional<std::size_t> place_of(const JsonList& columns, std::string_view name) {
  for (std::size_t place = 0; const JsonValue column : columns) {
    if (text_of(column) == name) {
      return place;
    }
    ++place;
  }
  return std::nullopt;
}

/// Empty, with the column that is missing told.
std::optional<Places> places_of(Reader& reader, const JsonList& columns) {
  Places places;
  places.columns = columns.size();
  const auto take = [&](std::string_view name, std::size_t& place) {
    const std::optional<std::size_t> found = place_of(columns, name);
    if (!found) {
      reader.wrong("watch.columns", "lacks '" + std::string(name) + "'");
    }
    place = found.value_or(0);
    return found.has_value();
  };
  for (std::size_t i = 0; i < kNumbers.size(); ++i) {
    if (!take(kNumbers[i].name, places.numbers[i])) {
      return std::nullopt;
    }
  }
  return take(kState, places.state) && take(kProducer, places.producer) ? std::optional(places) : std::nullopt;
}

std::optional<std::uint64_t> number_of(const JsonValue& json, std::uint64_t most) {
  const std::optional<std::uint64_t> count = count_of(json);
  return count && *count <= most ? count : std::nullopt;
}

/// Reads one row into `out`; what is wrong with it, or nothing.
std::string read_row(std::span<const JsonValue> row, const Places& places, std::span<const std::size_t> kernels,
                     WatchInterval& out) {
  if (row.size() != places.columns) {
    return "is not a list with a value for each column";
  }
  for (std::size_t i = 0; i < kNumbers.size(); ++i) {
    const std::optional<std::uint64_t> value = number_of(row[places.numbers[i]], kNumbers[i].most);
    if (!value) {
      return "'" + std::string(kNumbers[i].name) + "' is not a whole number, or too large";
    }
    kNumbers[i].set(out, *value);
  }
  const std::optional<std::string_view> state = text_of(row[places.state]);
  const std::optional<stats::Stall> known = state ? state_of(*state) : std::nullopt;
  if (!known) {
    return "'state' is not a warp state";
  }
  out.state = *known;
  if (out.kernel >= kernels.size()) {
    return "'kernel' is not below the number of kernels";
  }
  const std::size_t instructions = kernels[out.kernel];
  const JsonValue producer = row[places.producer];
  const std::optional<std::uint64_t> blamed = number_of(producer, kAny32);
  if (out.pc >= instructions || (!producer.is_null() && (!blamed || *blamed >= instructions))) {
    return std::string(out.pc >= instructions ? "'index'" : "'producer'") + " is not below the number of instructions";
  }
  out.producer = static_cast<std::uint32_t>(blamed.value_or(stats::kNoProducer));
  return out.begin < out.end && out.end < kAny64 ? "" : "'end' is not behind 'begin'";
}

/// The values of a row; none where it is not a list.
void take_values(const JsonValue& json, std::vector<JsonValue>& values) {
  values.clear();
  if (const std::optional<JsonList> list = list_of(json)) {
    values.assign(list->begin(), list->end());
  }
}

/// Whether `next` may stand behind `last`: rows are in order of kernel, SM, warp slot and time.
bool follows(const WatchInterval& last, const WatchInterval& next) {
  return std::tie(last.kernel, last.sm, last.warp_slot, last.end) <=
         std::tie(next.kernel, next.sm, next.warp_slot, next.begin);
}

}  // namespace

void append_watch(std::string& out, std::span<const WatchInterval> watch) {
  constexpr std::size_t kTypicalRow = 64;
  out.reserve(out.size() + watch.size() * kTypicalRow);
  out += "{\n    \"columns\": [";
  for (std::size_t i = 0; i < kNumbers.size(); ++i) {
    out += i == kStatePlace ? "\"" + std::string(kState) + "\"," : "";
    out += "\"" + std::string(kNumbers[i].name) + "\",";
  }
  out += "\"" + std::string(kProducer) + "\"],\n    \"rows\": [";
  for (std::size_t i = 0; i < watch.size(); ++i) {
    out += i == 0 ? "\n      " : ",\n      ";
    append_row(out, watch[i]);
  }
  out += "\n    ]\n  }";
}

std::vector<WatchInterval> read_watch(Reader& reader, const JsonValue& json,
                                      std::span<const std::size_t> instructions) {
  JsonFinder in(json);
  const auto member = [&in](std::string_view name) {
    const std::optional<JsonValue> found = in.find(name);
    return found ? list_of(*found) : std::nullopt;
  };
  const std::optional<JsonList> columns = member("columns");
  const std::optional<JsonList> rows = member("rows");
  if (!columns || !rows) {
    reader.wrong("watch", "has no lists 'columns' and 'rows'");
    return {};
  }
  if (rows->size() > stats::kMostWatchIntervals) {
    reader.wrong("watch.rows", "are more than " + with_thousands(stats::kMostWatchIntervals));
    return {};
  }
  const std::optional<Places> places = places_of(reader, *columns);
  std::vector<WatchInterval> watch;
  if (!places) {
    return watch;
  }
  watch.reserve(rows->size());
  std::vector<JsonValue> values;
  for (const JsonValue row : *rows) {
    WatchInterval next;
    take_values(row, values);
    std::string problem = read_row(values, *places, instructions, next);
    if (problem.empty() && !watch.empty() && !follows(watch.back(), next)) {
      problem = "is not behind the row before it: rows are in order of kernel, SM, warp slot and time";
    }
    if (!problem.empty()) {
      reader.wrong("watch.rows[" + std::to_string(watch.size()) + "]", problem);
      return {};
    }
    watch.push_back(next);
  }
  return watch;
}

}  // namespace gpusim::report
