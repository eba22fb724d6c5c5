// SPDX-License-Identifier: MIT
// What an instruction waited for, and what else held it back in the same cycles.
#include <algorithm>
#include <utility>

#include <catch2/catch.hpp>

#include "tests/support/one_sm.h"

namespace producer_test {

using namespace gpusim;
using stats::Blame;
using stats::Stall;
using test::OneSmSetup;
using test::run_listing;

namespace {

OneSmSetup setup_of(std::uint32_t warps = 1) {
  OneSmSetup setup;
  setup.arch = test::shipped_arch("h100");
  setup.threads_per_cta = 32 * warps;
  return setup;
}

std::vector<Blame> blames(const test::OneSmRun& run, std::uint32_t pc) {
  return run.profile[pc].producers;
}

std::uint64_t concurrent(const test::OneSmRun& run, std::uint32_t pc, Stall state) {
  return run.profile[pc].concurrent[static_cast<std::size_t>(state)];
}

std::uint64_t charged(const test::OneSmRun& run, std::uint32_t pc, Stall state) {
  return run.profile[pc].stalls[static_cast<std::size_t>(state)];
}

}  // namespace

TEST_CASE("a wait for a counter names the load that lowers it") {
  const auto run =
      run_listing(setup_of(), {"[B------:R-:W0:-:S01] LDG.E R1, [R2.64]", "[B------:R-:W1:-:S02] LDS R3, [R4]",
                               "[B01----:R-:W-:-:S01] FADD R5, R1, R3", "[B------:R-:W-:-:S01] EXIT"});
  CHECK(blames(run, 2) == std::vector<Blame>{{0, Stall::kLongScoreboard, charged(run, 2, Stall::kLongScoreboard)}});
  CHECK(charged(run, 2, Stall::kShortScoreboard) == 0);
}

TEST_CASE("of two loads on one counter the one that comes last is named") {
  // The second hits in L1, where the first is still on its way: both are of one line, so it comes with it; the LDS of
  // the third counter is long back.
  const auto run =
      run_listing(setup_of(), {"[B------:R-:W0:-:S01] LDG.E R1, [R2.64]", "[B------:R-:W0:-:S02] LDS R3, [R4]",
                               "[B0-----:R-:W-:-:S01] FADD R5, R1, R3", "[B------:R-:W-:-:S01] EXIT"});
  REQUIRE(blames(run, 2).size() == 1);
  CHECK(blames(run, 2)[0].producer == 0);
}

TEST_CASE("what a shuffle makes a warp wait for is in short_scoreboard, after what the load does") {
  // 0: LDS, there after 29 cycles. 1: MUFU, 23 cycles after cycle 1. The FADD waits for the later of both, of one
  // state.
  const auto run =
      run_listing(setup_of(), {"[B------:R-:W0:-:S01] LDS R1, [R2]", "[B------:R-:W1:-:S02] MUFU.EX2 R3, R4",
                               "[B01----:R-:W-:-:S01] FADD R5, R1, R3", "[B------:R-:W-:-:S01] EXIT"});
  CHECK(blames(run, 2) == std::vector<Blame>{{0, Stall::kShortScoreboard, charged(run, 2, Stall::kShortScoreboard)}});
}

TEST_CASE("two states of one wait have a producer each") {
  // The load that misses is back after a few hundred cycles, as long_scoreboard; a NANOSLEEP-free chain of MUFUs behind
  // it on another counter takes longer: 64 of them at 8 cycles each.
  std::vector<std::string> listing{"[B------:R-:W0:-:S01] LDG.E R1, [R2.64]"};
  for (int i = 0; i < 64; ++i) {
    listing.push_back("[B------:R-:W1:-:S02] MUFU.EX2 R3, R4");
  }
  listing.push_back("[B01----:R-:W-:-:S01] FADD R5, R1, R3");
  listing.push_back("[B------:R-:W-:-:S01] EXIT");
  OneSmSetup setup = setup_of();
  setup.memory_latency = 430;
  const auto run = run_listing(setup, listing);
  const std::uint64_t by_load = charged(run, 65, Stall::kLongScoreboard);
  const std::uint64_t by_mufu = charged(run, 65, Stall::kShortScoreboard);
  REQUIRE(by_load > 0);
  REQUIRE(by_mufu > 0);
  CHECK(blames(run, 65) ==
        std::vector<Blame>{{0, Stall::kLongScoreboard, by_load}, {64, Stall::kShortScoreboard, by_mufu}});
}

TEST_CASE("a DEPBAR for groups of copies names the copy and not the instruction that closed its group") {
  const auto run =
      run_listing(setup_of(), {"[B------:R-:W-:-:S01] LDGSTS.E [R1], [R2.64]", "[B------:R-:W0:-:S02] LDGDEPBAR",
                               "[B------:R-:W-:-:S04] DEPBAR.LE SB0, 0x0", "[B------:R-:W-:-:S01] EXIT"});
  REQUIRE(blames(run, 2).size() == 1);
  CHECK(blames(run, 2)[0].producer == 0);
  CHECK(blames(run, 2)[0].cycles == charged(run, 2, Stall::kLongScoreboard));
}

TEST_CASE("a group without copies ends with the instruction that closed it") {
  const auto run = run_listing(setup_of(), {"[B------:R-:W0:-:S02] LDGDEPBAR",
                                            "[B------:R-:W-:-:S04] DEPBAR.LE SB0, 0x0", "[B------:R-:W-:-:S01] EXIT"});
  REQUIRE(blames(run, 1).size() == 1);
  CHECK(blames(run, 1)[0].producer == 0);
}

TEST_CASE("a cause that another one of higher precedence hides is kept as concurrent") {
  // The LDS is back 23 cycles after issue; the stall count of 15 ran out before: 14 cycles of wait are hidden.
  const auto run = run_listing(setup_of(), {"[B------:R-:W0:-:S15] LDS R1, [R2]",
                                            "[B0-----:R-:W-:-:S01] FADD R4, R1, R3", "[B------:R-:W-:-:S01] EXIT"});
  CHECK(charged(run, 1, Stall::kShortScoreboard) == 22);
  CHECK(charged(run, 1, Stall::kWait) == 0);
  CHECK(concurrent(run, 1, Stall::kWait) == 14);
  CHECK(concurrent(run, 1, Stall::kShortScoreboard) == 0);
}

TEST_CASE("the producers of a state have all of its cycles") {
  OneSmSetup setup = setup_of(8);
  setup.ctas = 4;
  const auto run = run_listing(setup, {"LDG.E R4, [R2.64]", "LDS R5, [R3]", "FFMA R6, R4, R5, R6", "MUFU.EX2 R7, R6",
                                       "SHFL.BFLY PT, R8, R7, 0x1, 0x1f", "FADD R7, R7, R8", "BAR.SYNC 0x0",
                                       "STS [R3], R7", "STG.E [R2.64], R7", "EXIT"});
  REQUIRE(run.finished);
  for (const auto& row : run.profile) {
    for (const Stall state : {Stall::kLongScoreboard, Stall::kShortScoreboard}) {
      std::uint64_t sum = 0;
      for (const Blame& blame : row.producers) {
        sum += blame.state == state ? blame.cycles : 0;
      }
      CHECK(sum == row.stalls[static_cast<std::size_t>(state)]);
    }
  }
}

}  // namespace producer_test
