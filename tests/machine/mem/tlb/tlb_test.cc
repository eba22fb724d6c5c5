// SPDX-License-Identifier: MIT
#include "sim/machine/mem/tlb/tlb.h"

#include <catch2/catch.hpp>

namespace tlb_test {

using gpusim::arch::TlbLevel;
using gpusim::mem::tlb::Tlb;

namespace {

constexpr std::uint64_t kPage = 2 << 20;

}  // namespace

TEST_CASE("an entry covers as many pages side by side as the level says") {
  const Tlb one(TlbLevel{4, 4, 1, 0}, kPage);
  CHECK(one.group_of(kPage - 1) == 0);
  CHECK(one.group_of(kPage) == 1);
  const Tlb eight(TlbLevel{4, 4, 8, 0}, kPage);
  CHECK(eight.group_of(8 * kPage - 1) == 0);
  CHECK(eight.group_of(8 * kPage) == 1);
}

TEST_CASE("what fits is known from the start, as an earlier launch has left it") {
  Tlb tlb(TlbLevel{2, 2, 1, 0}, kPage);
  CHECK(tlb.look_up(10));
  CHECK(tlb.look_up(11));
  CHECK_FALSE(tlb.look_up(12));
  CHECK(tlb.look_up(10));
}

TEST_CASE("a full set gives up what was used least recently") {
  Tlb tlb(TlbLevel{2, 2, 1, 0}, kPage);
  REQUIRE(tlb.look_up(10));
  REQUIRE(tlb.look_up(11));
  REQUIRE(tlb.look_up(10));  // 11 is the older one now
  tlb.fill(12);
  CHECK(tlb.look_up(10));
  CHECK(tlb.look_up(12));
  CHECK_FALSE(tlb.look_up(11));
}

TEST_CASE("filling in what is known already makes it the most recent and costs nobody its place") {
  Tlb tlb(TlbLevel{2, 2, 1, 0}, kPage);
  REQUIRE(tlb.look_up(10));
  REQUIRE(tlb.look_up(11));
  tlb.fill(10);
  tlb.fill(12);
  CHECK(tlb.look_up(10));
  CHECK_FALSE(tlb.look_up(11));
}

TEST_CASE("groups go to the sets in turn, and a set's overflow leaves the others alone") {
  Tlb tlb(TlbLevel{6, 2, 1, 0}, kPage);  // three sets: no power of two is needed
  for (const std::uint64_t group : {0, 3, 1, 4, 2, 5}) {
    REQUIRE(tlb.look_up(group));
  }
  CHECK_FALSE(tlb.look_up(6));
  tlb.fill(6);
  CHECK_FALSE(tlb.look_up(0));
  for (const std::uint64_t group : {3, 1, 4, 2, 5}) {
    CHECK(tlb.look_up(group));
  }
}

}  // namespace tlb_test
