// SPDX-License-Identifier: MIT
// When instructions of one SM issue, against measured tables and hand-drawn timelines.
#include <catch2/catch.hpp>

#include "tests/support/one_sm.h"

namespace issue_test {

using namespace gpusim;
using test::OneSmSetup;
using test::run_listing;

namespace {

/// The parameters under which the issue-cycle table was measured (Huerta et al., MICRO 2025, GA102).
OneSmSetup ga102_queue(std::uint32_t sub_cores_active) {
  OneSmSetup setup;
  setup.arch = test::shipped_arch("a100");
  setup.arch.sm.lsu = {5, 11, 4, 16};
  setup.threads_per_cta = 32 * sub_cores_active;
  return setup;
}

std::vector<std::string> run_of_loads(int count) {
  std::vector<std::string> listing;
  for (int i = 0; i < count; ++i) {
    listing.push_back("[B------:R-:W0:-:S01] LDS R" + std::to_string(4 + i) + ", [R2]");
  }
  listing.push_back("[B------:R-:W-:-:S01] EXIT");
  return listing;
}

}  // namespace

TEST_CASE("the memory queue accepts five loads, then one every four cycles when one sub-core is active") {
  const auto run = run_listing(ga102_queue(1), run_of_loads(9));
  const std::vector<Cycle> expected{0, 1, 2, 3, 4, 11, 15, 19, 23, 24};
  CHECK(run.issues(0) == expected);
}

TEST_CASE("two active sub-cores share the load/store unit in turn", "[hand-checked][lsu]") {
  // load           1   2   3   4   5   6   7   8
  // sub-core 0     0   1   2   3   4   11  15  19    the queue has five places; the first load leaves it at 0 + 11,
  //  at the unit   11  15  19  ...                   the next ones four cycles after it
  // sub-core 1     0   1   2   3   4   13  17  21
  //  at the unit   13  17  21  ...                   the unit takes a request in two cycles, in turn
  const auto run = run_listing(ga102_queue(2), run_of_loads(8));
  CHECK(run.issues(0) == std::vector<Cycle>{0, 1, 2, 3, 4, 11, 15, 19, 20});
  CHECK(run.issues(1) == std::vector<Cycle>{0, 1, 2, 3, 4, 13, 17, 21, 22});
}

TEST_CASE("four active sub-cores get one load each every eight cycles") {
  const auto run = run_listing(ga102_queue(4), run_of_loads(8));
  CHECK(run.issues(0) == std::vector<Cycle>{0, 1, 2, 3, 4, 11, 19, 27, 28});
  CHECK(run.issues(3) == std::vector<Cycle>{0, 1, 2, 3, 4, 17, 25, 33, 34});
}

TEST_CASE("a stall count holds the warp for exactly its cycles") {
  OneSmSetup setup;
  setup.arch = test::shipped_arch("h100");
  const auto run = run_listing(setup, {"[B------:R-:W-:-:S04] FADD R1, R2, R3", "[B------:R-:W-:-:S01] FADD R4, R1, R3",
                                       "[B------:R-:W-:-:S01] EXIT"});
  CHECK(run.issues(0) == std::vector<Cycle>{0, 4, 5});
  CHECK(run.cycles(0, stats::Stall::kWait) == 3);
}

TEST_CASE("a wait mask holds the warp until the load's counter is lowered") {
  OneSmSetup setup;
  setup.arch = test::shipped_arch("h100");
  const auto run = run_listing(setup, {"[B------:R-:W0:-:S02] LDS R1, [R2]", "[B0-----:R-:W-:-:S01] FADD R4, R1, R3",
                                       "[B------:R-:W-:-:S01] EXIT"});
  const Cycle latency = setup.arch.sm.shared.latency;
  CHECK(run.issues(0) == std::vector<Cycle>{0, latency, latency + 1});
  CHECK(run.cycles(0, stats::Stall::kShortScoreboard) == latency - 1);
}

TEST_CASE("a load from memory takes the SM's own part of the latency and the memory's") {
  OneSmSetup setup;
  setup.arch = test::shipped_arch("h100");
  const auto run =
      run_listing(setup, {"[B------:R-:W0:-:S02] LDG.E R1, [R2.64]", "[B0-----:R-:W-:-:S01] FADD R4, R1, R3",
                          "[B------:R-:W1:-:S02] LDG.E R5, [R2.64]", "[B-1----:R-:W-:-:S01] FADD R4, R5, R3",
                          "[B------:R-:W-:-:S01] EXIT"});
  const Cycle miss = setup.arch.sm.l1.hit_latency + setup.arch.noc.sm_to_gpc_latency + setup.memory_latency;
  const Cycle second = miss + 1;
  CHECK(run.issues(0) == std::vector<Cycle>{0, miss, second, second + setup.arch.sm.l1.hit_latency,
                                            second + setup.arch.sm.l1.hit_latency + 1});
  CHECK(run.cycles(0, stats::Stall::kLongScoreboard) == miss - 1 + setup.arch.sm.l1.hit_latency - 1);
  CHECK(run.counted.l1.load_hits == 4);
  CHECK(run.counted.l1.load_misses == 4);
}

TEST_CASE("warp states sum to resident cycles") {
  OneSmSetup setup;
  setup.arch = test::shipped_arch("h100");
  setup.threads_per_cta = 256;
  setup.ctas = 4;
  const auto run = run_listing(setup, {"LDG.E R4, [R2.64]", "LDS R5, [R3]", "FFMA R6, R4, R5, R6", "MUFU.EX2 R7, R6",
                                       "BAR.SYNC 0x0", "STS [R3], R7", "STG.E [R2.64], R7", "EXIT"});
  CHECK(run.finished);
  std::uint64_t sum = 0;
  for (const auto& row : run.profile) {
    sum += stats::total(row.stalls);
  }
  CHECK(sum == run.counted.sm.warp_cycles);
  CHECK(run.counted.sm.warp_instructions == 32 * 8);
}

}  // namespace issue_test
