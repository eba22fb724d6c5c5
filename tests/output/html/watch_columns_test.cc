// SPDX-License-Identifier: MIT
// Packed intervals unpack to what was recorded.
#include "sim/output/html/watch_columns.h"

#include <cstdint>
#include <string>
#include <vector>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

using namespace gpusim;
using nlohmann::json;
using stats::WatchInterval;

namespace {

/// As docs/reports.md describes it, interval by interval.
std::vector<WatchInterval> unpacked(const json& watch) {
  std::vector<WatchInterval> out;
  const json& columns = watch["columns"];
  for (const json& track : watch["tracks"]) {
    WatchInterval now;
    now.kernel = track[0];
    now.sm = track[1];
    now.sub_core = track[2];
    now.warp_slot = track[3];
    for (std::size_t left = track[4]; left > 0; --left) {
      const std::size_t i = out.size();
      const auto at = [&columns, i](const char* name) { return columns[name].at(i).get<std::int64_t>(); };
      now.begin = now.end + static_cast<std::uint64_t>(at("gap"));
      now.end = now.begin + static_cast<std::uint64_t>(at("cycles"));
      now.state = static_cast<stats::Stall>(at("state"));
      CHECK(watch["states"].at(static_cast<std::size_t>(at("state"))) == stats::info_of(now.state).key);
      now.pc += static_cast<std::uint32_t>(at("index"));
      const std::int64_t back = at("producer");
      now.producer = back == 0 ? stats::kNoProducer : static_cast<std::uint32_t>(now.pc - (back > 0 ? back : back + 1));
      now.lanes ^= static_cast<LaneMask>(at("lanes"));
      now.lanes_on = now.lanes ^ static_cast<LaneMask>(at("lanes_on"));
      now.cta += static_cast<std::uint64_t>(at("cta"));
      now.warp += static_cast<std::uint32_t>(at("warp"));
      out.push_back(now);
    }
  }
  for (const auto& [name, column] : columns.items()) {
    CHECK(column.size() == out.size());
  }
  return out;
}

bool same(const WatchInterval& a, const WatchInterval& b) {
  return a.kernel == b.kernel && a.sm == b.sm && a.sub_core == b.sub_core && a.warp_slot == b.warp_slot &&
         a.cta == b.cta && a.warp == b.warp && a.begin == b.begin && a.end == b.end && a.state == b.state &&
         a.pc == b.pc && a.lanes == b.lanes && a.lanes_on == b.lanes_on && a.producer == b.producer;
}

/// Slots with a few intervals each, whose numbers go up and down.
std::vector<WatchInterval> varied(std::size_t slots, std::size_t each) {
  std::vector<WatchInterval> out;
  std::uint32_t random = 1;
  const auto below = [&random](std::uint32_t limit) {
    random = random * 1664525U + 1013904223U;
    return (random >> 8U) % limit;
  };
  for (std::size_t slot = 0; slot < slots; ++slot) {
    Cycle at = below(1000);
    for (std::size_t i = 0; i < each; ++i) {
      WatchInterval next;
      next.kernel = slot < slots / 2 ? 0 : 2;
      next.sm = 7;
      next.sub_core = static_cast<std::uint32_t>(slot % 4);
      next.warp_slot = static_cast<std::uint32_t>(slot);
      next.cta = std::uint64_t{below(1U << 20U)} << 20U;
      next.warp = below(32);
      next.begin = at + below(3);
      next.end = at = next.begin + 1 + below(400);
      next.state = static_cast<stats::Stall>(below(stats::kStallCount));
      next.pc = below(50);
      next.lanes = below(2) == 0 ? 0xffffffffU : below(1U << 24U) << 8U;
      next.lanes_on = next.lanes & (below(2) == 0 ? 0xffffffffU : 0x80000001U);
      next.producer = below(3) == 0 ? stats::kNoProducer : below(50);
      out.push_back(next);
    }
  }
  return out;
}

}  // namespace

TEST_CASE("packed intervals unpack to what was recorded") {
  const std::vector<WatchInterval> watch = varied(6, 400);
  const std::vector<WatchInterval> again = unpacked(json::parse(html::watch_columns(watch)));
  REQUIRE(again.size() == watch.size());
  for (std::size_t i = 0; i < watch.size(); ++i) {
    INFO(i);
    CHECK(same(watch[i], again[i]));
  }
}

TEST_CASE("a slot's columns start anew, and a warp that goes on differs in little") {
  WatchInterval first;
  first.warp_slot = 2;
  first.cta = 9;
  first.begin = 100;
  first.end = 104;
  first.lanes = first.lanes_on = 0xffffffffU;
  WatchInterval next = first;
  next.begin = 104;
  next.end = 105;
  next.pc = 1;
  next.producer = 1;
  WatchInterval other = first;
  other.warp_slot = 3;
  const json packed = json::parse(html::watch_columns(std::vector{first, next, other}));
  CHECK(packed["tracks"] == json({{0, 0, 0, 2, 2}, {0, 0, 0, 3, 1}}));
  const json& columns = packed["columns"];
  CHECK(columns["gap"] == json({100, 0, 100}));
  CHECK(columns["cycles"] == json({4, 1, 4}));
  CHECK(columns["index"] == json({0, 1, 0}));
  CHECK(columns["producer"] == json({0, -1, 0}));
  CHECK(columns["lanes"] == json({4294967295U, 0, 4294967295U}));
  CHECK(columns["lanes_on"] == json({0, 0, 0}));
  CHECK(columns["cta"] == json({9, 0, 9}));
}

TEST_CASE("nothing recorded gives empty columns") {
  const json packed = json::parse(html::watch_columns({}));
  CHECK(packed["tracks"].empty());
  CHECK(packed["columns"]["gap"].empty());
  CHECK(packed["states"].size() == stats::kStallCount);
}
