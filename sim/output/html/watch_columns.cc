// SPDX-License-Identifier: MIT
#include "sim/output/html/watch_columns.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <tuple>

#include "sim/base/text.h"

namespace gpusim::html {
namespace {

using stats::WatchInterval;

/// a - b of numbers that are both below 2^63.
std::int64_t difference(std::uint64_t a, std::uint64_t b) {
  return static_cast<std::int64_t>(a - b);
}

/// How far the producer stands before the instruction. 0 says that there is none, so what is not before it is one less.
std::int64_t back_to_producer(const WatchInterval& now) {
  if (now.producer == stats::kNoProducer) {
    return 0;
  }
  const std::int64_t back = difference(now.pc, now.producer);
  return back > 0 ? back : back - 1;
}

/// A number of each interval, given the one before it in its slot; before the first stands one of zeros.
struct Column {
  std::string_view name;
  std::int64_t (*get)(const WatchInterval& last, const WatchInterval& now);
};

constexpr std::array kColumns{
    Column{"gap", [](const auto& last, const auto& now) { return difference(now.begin, last.end); }},
    Column{"cycles", [](const auto& /*last*/, const auto& now) { return difference(now.end, now.begin); }},
    Column{"state", [](const auto& /*last*/, const auto& now) { return static_cast<std::int64_t>(now.state); }},
    Column{"index", [](const auto& last, const auto& now) { return difference(now.pc, last.pc); }},
    Column{"producer", [](const auto& /*last*/, const auto& now) { return back_to_producer(now); }},
    Column{"lanes", [](const auto& last, const auto& now) { return std::int64_t{now.lanes ^ last.lanes}; }},
    Column{"lanes_on", [](const auto& /*last*/, const auto& now) { return std::int64_t{now.lanes_on ^ now.lanes}; }},
    Column{"cta", [](const auto& last, const auto& now) { return difference(now.cta, last.cta); }},
    Column{"warp", [](const auto& last, const auto& now) { return difference(now.warp, last.warp); }},
};

bool same_slot(const WatchInterval& a, const WatchInterval& b) {
  return std::tie(a.kernel, a.sm, a.sub_core, a.warp_slot) == std::tie(b.kernel, b.sm, b.sub_core, b.warp_slot);
}

/// `"name":[...]`
void append_column(std::string& out, const Column& column, std::span<const WatchInterval> watch) {
  out.append(1, '"').append(column.name).append("\":[");
  const WatchInterval zeros{};
  for (std::size_t i = 0; i < watch.size(); ++i) {
    const bool goes_on = i > 0 && same_slot(watch[i - 1], watch[i]);
    out += i > 0 ? "," : "";
    append_number(out, column.get(goes_on ? watch[i - 1] : zeros, watch[i]));
  }
  out += ']';
}

/// [kernel, SM, sub-core, warp slot, intervals] of each slot.
void append_tracks(std::string& out, std::span<const WatchInterval> watch) {
  for (std::size_t from = 0; from < watch.size();) {
    std::size_t to = from + 1;
    while (to < watch.size() && same_slot(watch[from], watch[to])) {
      ++to;
    }
    char before = '[';
    out += from > 0 ? "," : "";
    for (const std::uint64_t number :
         {std::uint64_t{watch[from].kernel}, std::uint64_t{watch[from].sm}, std::uint64_t{watch[from].sub_core},
          std::uint64_t{watch[from].warp_slot}, std::uint64_t{to - from}}) {
      out += before;
      append_number(out, number);
      before = ',';
    }
    out += ']';
    from = to;
  }
}

}  // namespace

std::string watch_columns(std::span<const WatchInterval> watch) {
  std::string out = "{\"states\":[";
  for (const stats::StallInfo& state : stats::kStalls) {
    out.append(out.back() == '[' ? "\"" : ",\"").append(state.key).append(1, '"');
  }
  out += "],\"tracks\":[";
  append_tracks(out, watch);
  out += "],\"columns\":{";
  for (const Column& column : kColumns) {
    out += out.back() == '{' ? "" : ",";
    append_column(out, column, watch);
  }
  return out + "}}";
}

}  // namespace gpusim::html
