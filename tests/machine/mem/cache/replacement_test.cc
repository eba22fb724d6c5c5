// SPDX-License-Identifier: MIT
// What a tag array holds whatever replacement policy it has.
#include <string>

#include <catch2/catch.hpp>

#include "sim/machine/mem/cache/tag_array.h"

using namespace gpusim;
using mem::cache::kAllSectors;
using mem::cache::LineState;
using mem::cache::TagArray;

TEST_CASE("whatever the policy, what fits stays, and a line that enters a full set drives out one that was there") {
  constexpr std::uint32_t kWays = 6;
  for (const policy::ReplacementInfo& info : policy::kReplacements) {
    CAPTURE(info.name);
    TagArray tags(1, kWays, 3, info.policy);
    for (std::uint64_t round = 0; round < 3; ++round) {
      for (std::uint64_t line = 0; line < kWays; ++line) {
        REQUIRE_FALSE(tags.fill(line, kAllSectors).present());
      }
    }
    for (std::uint64_t line = kWays; line < 200; ++line) {
      const LineState evicted = tags.fill(line, kAllSectors);
      REQUIRE(evicted.present());
      REQUIRE(evicted.line < line);
      REQUIRE_FALSE(tags.probe(evicted.line).present());
      REQUIRE(tags.lines_present() == kWays);
      tags.lookup(line - line % 3, kAllSectors);
    }
  }
}

TEST_CASE(
    "whatever the policy, a line that is to leave first does, one that is to leave last stays, a free way is taken") {
  for (const policy::ReplacementInfo& info : policy::kReplacements) {
    CAPTURE(info.name);
    TagArray tags(1, 4, 3, info.policy);
    for (std::uint64_t line = 0; line < 4; ++line) {
      tags.fill(line, kAllSectors);
    }
    tags.set_eviction(2, Eviction::kFirst);
    tags.set_eviction(0, Eviction::kLast);
    CHECK(tags.fill(10, kAllSectors).line == 2);
    for (std::uint64_t line = 11; line < 40; ++line) {
      CHECK(tags.fill(line, kAllSectors).line != 0);
    }
    tags.invalidate(0);
    CHECK_FALSE(tags.fill(50, kAllSectors).present());
  }
}
