// SPDX-License-Identifier: MIT
// When the increment of a dependence counter is visible, and what a counter can count. Timelines drawn by hand.
#include <catch2/catch.hpp>

#include "sim/model/policy/warp/table.h"

#include "tests/support/one_sm.h"

namespace counter_test {

using namespace gpusim;
using stats::Stall;
using test::OneSmSetup;
using test::run_listing;

namespace {

using Cycles = std::vector<Cycle>;
using Listing = std::vector<std::string>;

constexpr Cycle kShared = 30;

OneSmSetup warps_of(std::uint32_t warps = 1) {
  OneSmSetup setup;
  setup.arch = test::shipped_arch("h100");
  setup.arch.sm.shared.latency = kShared;
  setup.threads_per_cta = 32 * warps;
  return setup;
}

}  // namespace

TEST_CASE(
    "a consumer directly behind its producer does not see the increment and issues too early, as in the silicon") {
  const Listing wrong{"[B------:R-:W0:-:S01] LDS R1, [R2]", "[B0-----:R-:W-:-:S01] FADD R4, R1, R3",
                      "[B0-----:R-:W-:-:S01] FADD R5, R1, R3", "[B------:R-:W-:-:S01] EXIT"};
  CHECK(run_listing(warps_of(), wrong).issues(0) == Cycles{0, 1, kShared, kShared + 1});
  Listing right = wrong;
  right[0] = "[B------:R-:W0:-:S02] LDS R1, [R2]";
  CHECK(run_listing(warps_of(), right).issues(0) == Cycles{0, kShared, kShared + 1, kShared + 2});
}

TEST_CASE("the yield bit is as good as a stall count of two") {
  CHECK(run_listing(warps_of(), {"[B------:R-:W0:Y:S01] LDS R1, [R2]", "[B0-----:R-:W-:-:S01] FADD R4, R1, R3",
                                 "[B------:R-:W-:-:S01] EXIT"})
            .issues(0) == Cycles{0, kShared, kShared + 1});
}

TEST_CASE("a consumer that was not picked in the cycle behind its producer sees the increment in the next") {
  // Oldest first, warps 0 and 4 of one sub-core; warp 0 (a NOP at 2) takes the cycle in which warp 4 could have issued
  // too early.
  //   cycle     0          1          2
  //   warp 0    NOP S02               NOP ...
  //   warp 4               LDS        FADD would, is not selected; from 3 on it waits for the load
  OneSmSetup setup = warps_of(5);
  setup.arch.sm.scheduler.policy = policy::WarpPolicy::kOldestFirst;
  setup.path = [](std::uint32_t, std::uint32_t warp) {
    return warp == 4 ? std::vector<std::uint32_t>{3, 4, 5} : std::vector<std::uint32_t>{0, 1, 2};
  };
  const auto run = run_listing(setup, {"[B------:R-:W-:-:S02] NOP", "[B------:R-:W-:-:S01] NOP",
                                       "[B------:R-:W-:-:S01] EXIT", "[B------:R-:W0:-:S01] LDS R1, [R2]",
                                       "[B0-----:R-:W-:-:S01] FADD R4, R1, R3", "[B------:R-:W-:-:S01] EXIT"});
  CHECK(run.issues(0) == Cycles{0, 2, 3});
  const Cycle loaded = run.issues(4)[0] + kShared;
  CHECK(run.issues(4)[0] == 1);
  CHECK(run.issues(4)[1] >= loaded);
  CHECK(run.cycles(4, Stall::kNotSelected) == 2);  // in 0, and in 2
  CHECK(run.cycles(4, Stall::kShortScoreboard) == run.issues(4)[1] - 3);
}

TEST_CASE("a DEPBAR directly behind the commit passes by the groups that it does not see") {
  const auto run =
      run_listing(warps_of(), {"[B------:R-:W-:-:S01] LDGSTS.E [R1], [R2.64]", "[B------:R-:W0:-:S01] LDGDEPBAR",
                               "[B------:R-:W-:-:S04] DEPBAR.LE SB0, 0x0", "[B------:R-:W-:-:S01] EXIT"});
  CHECK(run.issues(0) == Cycles{0, 1, 2, 6});
}

TEST_CASE("the instruction behind a DEPBAR comes its stall count later, however short that is") {
  // The assembler never writes less than 4; what is recorded is obeyed.
  const auto run = run_listing(warps_of(), {"[B------:R-:W0:-:S02] LDGDEPBAR",
                                            "[B------:R-:W-:-:S01] DEPBAR.LE SB0, 0x0", "[B------:R-:W-:-:S01] EXIT"});
  CHECK(run.issues(0)[2] == run.issues(0)[1] + 1);
}

TEST_CASE("a counter holds 63: the next instruction that increments it waits until one operation is over") {
  // 64 loads on one counter. They enter the queue one every four cycles; all of them are in flight when the 64th could
  // issue, at 240 or so, and the first comes back at 2000 and more.
  OneSmSetup setup = warps_of();
  setup.memory_latency = 2000;
  Listing listing;
  for (int i = 0; i < 64; ++i) {
    listing.push_back("[B------:R-:W3:-:S01] LDG.E R" + std::to_string(10 + i) + ", [R2.64]");
  }
  listing.emplace_back("[B------:R-:W-:-:S01] EXIT");
  const auto run = run_listing(setup, listing);
  CHECK(run.finished);
  CHECK(run.issues(0)[62] < 300);
  const Cycle first_back = setup.arch.sm.l1.hit_latency + setup.arch.noc.sm_to_gpc_latency + 2000;
  CHECK(run.issues(0)[63] == first_back);
  CHECK(run.cycles(0, Stall::kLongScoreboard) == first_back - (run.issues(0)[62] + 1));
}

TEST_CASE("an instruction that increments one counter for its sources and its result needs room for two") {
  OneSmSetup setup = warps_of();
  setup.memory_latency = 2000;
  Listing listing;
  for (int i = 0; i < 62; ++i) {
    listing.push_back("[B------:R-:W3:-:S01] LDG.E R" + std::to_string(10 + i) + ", [R2.64]");
  }
  listing.emplace_back("[B------:R3:W3:-:S01] LDG.E R80, [R2.64]");
  listing.emplace_back("[B------:R-:W-:-:S01] EXIT");
  CHECK(run_listing(setup, listing).issues(0)[62] > 2000);
}

}  // namespace counter_test
