// SPDX-License-Identifier: MIT
// Listings of a few lines, checked by hand, with everything of the core in play: stall counts, counters, register
// ports, the reuse cache, write ports and the choice among warps. A row is a warp, a column is a cycle.
#include <catch2/catch.hpp>

#include "tests/support/one_sm.h"

namespace hand_timeline_test {

using namespace gpusim;
using stats::Stall;
using test::OneSmSetup;
using test::run_listing;

namespace {

using Cycles = std::vector<Cycle>;
using Listing = std::vector<std::string>;

OneSmSetup banked_core(std::uint32_t warps = 1) {
  OneSmSetup setup;
  setup.arch = test::shipped_arch("h100");
  setup.arch.sm.register_file = {arch::RegisterFileModel::kBanked, 3};
  setup.arch.sm.lsu = {5, 10, 4, 16};
  setup.arch.sm.shared.latency = 30;
  setup.arch.sm.timing[static_cast<std::size_t>(isa::TimingClass::kMufu)] = {20, {8, 1}, true};
  setup.threads_per_cta = 32 * warps;
  return setup;
}

Listing with_exit(Listing listing) {
  listing.emplace_back("[B------:R-:W-:-:S01] EXIT");
  return listing;
}

}  // namespace

TEST_CASE("an address, a load, its use, a store, and the overwrite of what is stored", "[hand-checked][dependences]") {
  //  0  IADD3   5 cycles to an address
  //  5  LDS     at the unit in 15, back in 35
  //  7  FFMA    does not need it
  // 35  FFMA    does; 5 cycles to the data of a store
  // 40  STS     at the unit in 50, has read its data in 51
  // 51  FADD    overwrites it
  const auto run =
      run_listing(banked_core(),
                  with_exit({"[B------:R-:W-:-:S05] IADD3 R2, R3, R5, RZ", "[B------:R-:W0:-:S02] LDS R4, [R2]",
                             "[B------:R-:W-:-:S01] FFMA R8, R9, R10, R8", "[B0-----:R-:W-:-:S05] FFMA R6, R4, R9, R6",
                             "[B------:R1:W-:-:S02] STS [R2], R6", "[B-1----:R-:W-:-:S01] FADD R6, R8, R9"}));
  CHECK(run.issues(0) == Cycles{0, 5, 7, 35, 40, 51, 52});
  CHECK(run.cycles(0, Stall::kWait) == 4 + 1 + 4);
  CHECK(run.cycles(0, Stall::kShortScoreboard) == (35 - 8) + (51 - 41));
}

TEST_CASE("two warps fill each other's stall counts", "[hand-checked][pipes]") {
  // cycle   0  1  2  3  4  5  6  7  8  9  10
  // warp 0  F           F           E
  // warp 4     F           F           E       greedy, but the warp that issued last has to wait
  const auto run = run_listing(
      banked_core(5), with_exit({"[B------:R-:W-:-:S04] FADD R1, R2, R3", "[B------:R-:W-:-:S04] FADD R1, R1, R2"}));
  CHECK(run.issues(0) == Cycles{0, 4, 8});
  CHECK(run.issues(4) == Cycles{1, 5, 9});
  CHECK(run.cycles(4, Stall::kNotSelected) == 1);
  CHECK(run.cycles(4, Stall::kWait) == 6);
}

TEST_CASE("a row of a GEMM's tile, with and without the reuse bit", "[hand-checked][registers]") {
  // Reads of the even bank in front of each instruction's window, which begins with its issue and is three cycles long:
  //   without   F 0: R4 R8 R20 in 0-2     F 1: R4 in 3     F 2: R4 R10 R22 in 4-6, window until 4: two bubbles
  //             F 5: R4 in 7              F 6: R4 R12 R24 in 8-10, window until 8: two bubbles     F 9: R4 in 11
  //   with      F 0: R4 R8 R20 in 0-2     F 1: none        F 2: R10 R22 in 3-4     F 4: R12 R24 in 5-6, and so on
  const auto row = [](const std::string& a) {
    Listing listing;
    for (int j = 0; j < 6; ++j) {
      const std::string c = "R" + std::to_string(20 + j);
      listing.push_back("[B------:R-:W-:-:S01] FFMA " + c + ", " + a + ", R" + std::to_string(8 + j) + ", " + c);
    }
    return with_exit(listing);
  };
  const auto without = run_listing(banked_core(), row("R4"));
  CHECK(without.issues(0) == Cycles{0, 1, 2, 5, 6, 9, 10});
  CHECK(without.cycles(0, Stall::kDispatchStall) == 4);
  CHECK(run_listing(banked_core(), row("R4.reuse")).issues(0) == Cycles{0, 1, 2, 3, 4, 5, 6});
}

TEST_CASE("a special function whose result meets an addition's at the write port", "[hand-checked][registers]") {
  //  0  MUFU R2   there in 20, if the even port is free
  //  8  MUFU R5   its pipe takes one in eight cycles; there in 28
  // 16  FADD R4   there in 20, the even bank: the MUFU gives way to it, and to
  // 17  FADD R6   in 21; so its result is there in 22
  // 22  FADD      its use
  // 28  FADD      the other's use
  const auto run = run_listing(
      banked_core(), with_exit({"[B------:R-:W0:-:S01] MUFU.EX2 R2, R9", "[B------:R-:W1:-:S08] MUFU.EX2 R5, R9",
                                "[B------:R-:W-:-:S01] FADD R4, R9, R10", "[B------:R-:W-:-:S01] FADD R6, R9, R10",
                                "[B0-----:R-:W-:-:S01] FADD R7, R2, R9", "[B-1----:R-:W-:-:S01] FADD R7, R5, R9"}));
  CHECK(run.issues(0) == Cycles{0, 8, 16, 17, 22, 28, 29});
  CHECK(run.cycles(0, Stall::kMathPipeThrottle) == 7);
  CHECK(run.cycles(0, Stall::kWait) == 7);
  CHECK(run.cycles(0, Stall::kShortScoreboard) == (22 - 18) + (28 - 23));
}

TEST_CASE("a scoreboard in the place of control bits waits for registers, two cycles longer than a bypass",
          "[hand-checked][dependences]") {
  // The same listing, whose control bits are wrong on purpose: they do not count.
  //  0  FADD R2
  //  6  FADD R3   reads R2, four cycles and two
  //  7  LDS R4    reads neither; back in 37
  //  8  FADD R8   nothing to wait for
  // 37  FADD R4   overwrites what the load brings
  OneSmSetup setup = banked_core();
  setup.arch.sm.dependence = gpusim::arch::Dependence::kScoreboard;
  const auto run =
      run_listing(setup, with_exit({"[B------:R-:W-:-:S01] FADD R2, R9, R10", "[B------:R-:W-:-:S09] FADD R3, R2, R10",
                                    "[B------:R-:W-:-:S01] LDS R4, [R9]", "[B------:R-:W-:-:S15] FADD R8, R9, R10",
                                    "[B------:R-:W-:-:S01] FADD R4, R9, R10"}));
  CHECK(run.issues(0) == Cycles{0, 6, 7, 8, 37, 38});
  CHECK(run.cycles(0, Stall::kWait) == 5);
  CHECK(run.cycles(0, Stall::kShortScoreboard) == 37 - 9);
}

}  // namespace hand_timeline_test
