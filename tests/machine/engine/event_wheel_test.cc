// SPDX-License-Identifier: MIT
// The calendar queue against a plain multimap, and its corners by hand.
#include "sim/machine/engine/event_wheel.h"

#include <map>
#include <random>
#include <vector>

#include <catch2/catch.hpp>

using namespace gpusim;
using Wheel = engine::EventWheel<int>;

namespace {

std::vector<int> pop(Wheel& wheel, Cycle time) {
  std::vector<int> events;
  wheel.pop_all(time, [&events](int event) { events.push_back(event); });
  return events;
}

}  // namespace

TEST_CASE("an empty wheel has no next time") {
  Wheel wheel;
  CHECK(wheel.empty());
  CHECK(wheel.next_time() == kNever);
  CHECK(pop(wheel, 100).empty());
}

TEST_CASE("events of one cycle come out in the order in which they were pushed") {
  Wheel wheel;
  for (const int event : {3, 1, 2}) {
    wheel.push(7, event);
  }
  wheel.push(6, 9);
  CHECK(wheel.size() == 4);
  CHECK(wheel.next_time() == 6);
  CHECK(pop(wheel, 6) == std::vector<int>{9});
  CHECK(pop(wheel, 7) == std::vector<int>{3, 1, 2});
  CHECK(wheel.empty());
}

TEST_CASE("far events stay in front of near ones that are pushed for the same cycle later") {
  Wheel wheel;
  constexpr Cycle kFar = 3 * Wheel::kSlots + 5;
  wheel.push(kFar, 1);
  wheel.push(kFar, 2);
  wheel.push(kFar - 10, 0);
  CHECK(pop(wheel, kFar - 10) == std::vector<int>{0});
  wheel.push(kFar, 3);
  CHECK(wheel.next_time() == kFar);
  CHECK(pop(wheel, kFar) == std::vector<int>{1, 2, 3});
}

TEST_CASE("an event at the horizon and the one that is a cycle beyond it do not meet") {
  Wheel wheel;
  wheel.push(10, 0);
  CHECK(pop(wheel, 10) == std::vector<int>{0});
  wheel.push(10 + Wheel::kSlots, 2);
  wheel.push(10 + Wheel::kSlots - 1, 1);
  wheel.push(10, 3);
  CHECK(wheel.next_time() == 10);
  CHECK(pop(wheel, 10) == std::vector<int>{3});
  CHECK(wheel.next_time() == 10 + Wheel::kSlots - 1);
  CHECK(pop(wheel, 10 + Wheel::kSlots - 1) == std::vector<int>{1});
  CHECK(pop(wheel, 10 + Wheel::kSlots) == std::vector<int>{2});
}

TEST_CASE("the next time is found across the wheel's wrap") {
  for (const Cycle origin : {0U, 1U, 63U, 64U, 500U, 511U, 512U, 1000U}) {
    for (Cycle distance = 0; distance < Wheel::kSlots; ++distance) {
      Wheel wheel;
      wheel.push(origin, 0);
      pop(wheel, origin);
      wheel.push(origin + distance, 1);
      REQUIRE(wheel.next_time() == origin + distance);
    }
  }
}

TEST_CASE("events pushed for the cycle being handled are handled in it, last") {
  Wheel wheel;
  wheel.push(4, 1);
  wheel.push(4, 2);
  std::vector<int> events;
  wheel.pop_all(4, [&](int event) {
    events.push_back(event);
    if (event < 10) {
      wheel.push(4, event + 10);
    }
  });
  CHECK(events == std::vector<int>{1, 2, 11, 12});
  CHECK(wheel.empty());
}

TEST_CASE("the wheel does what a multimap in insertion order does") {
  std::mt19937 random(1);
  for (int round = 0; round < 40; ++round) {
    Wheel wheel;
    std::multimap<Cycle, int> reference;
    Cycle now = 0;
    const Cycle reach = round % 2 == 0 ? 40 : 3000;
    for (int i = 0; i < 2000; ++i) {
      if (random() % 5 < 3) {
        const Cycle time = now + random() % reach;
        wheel.push(time, i);
        reference.emplace(time, i);
        continue;
      }
      const Cycle expected = reference.empty() ? kNever : reference.begin()->first;
      REQUIRE(wheel.next_time() == expected);
      REQUIRE(wheel.size() == reference.size());
      if (expected == kNever) {
        continue;
      }
      now = expected;
      std::vector<int> events;
      const auto [first, last] = reference.equal_range(now);
      for (auto it = first; it != last; ++it) {
        events.push_back(it->second);
      }
      reference.erase(first, last);
      REQUIRE(pop(wheel, now) == events);
    }
  }
}
