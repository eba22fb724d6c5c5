// SPDX-License-Identifier: MIT
// Timelines of warps under policies with state.
#include <string>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>

#include "sim/model/policy/warp/table.h"

#include "tests/support/one_sm.h"

namespace warp_policy_test {

using namespace gpusim;
using namespace gpusim::sm;

namespace {

/// One CTA, of whose warps two per sub-core are active.
test::OneSmSetup two_level(std::uint32_t warps) {
  test::OneSmSetup setup;
  setup.arch = test::shipped_arch("h100");
  setup.arch.sm.scheduler = {policy::WarpPolicy::kTwoLevel, 2};
  setup.threads_per_cta = 32 * warps;
  return setup;
}

/// The same with all warps, the fairest first.
test::OneSmSetup fair(std::uint32_t warps) {
  test::OneSmSetup setup = two_level(warps);
  setup.arch.sm.scheduler.policy = policy::WarpPolicy::kFair;
  return setup;
}

}  // namespace

TEST_CASE("fair: warps that can issue take turns, and a pick that waits for its constant is not an issue") {
  // Warps 0 and 4 of a sub-core. Whether or not the first constant misses, each has issued as many as the other, so the
  // rest of the code goes in turn.
  const std::vector<std::string> tail{"[B------:R-:W-:-:S01] NOP", "[B------:R-:W-:-:S01] NOP",
                                      "[B------:R-:W-:-:S01] EXIT"};
  const auto gaps = [&tail](const std::string& first) {
    std::vector<std::string> code{"[B------:R-:W-:-:S01] " + first};
    code.insert(code.end(), tail.begin(), tail.end());
    const auto run = test::run_listing(fair(8), code);
    const std::vector<Cycle> a = run.issues(0);
    const std::vector<Cycle> b = run.issues(4);
    return std::pair(b[2] - a[2], b[3] - a[3]);
  };
  CHECK(gaps("NOP") == std::pair<Cycle, Cycle>(1, 1));
  CHECK(gaps("IADD3 R4, R1, c[0x0][0x160], RZ") == std::pair<Cycle, Cycle>(1, 1));
}

TEST_CASE("two levels: the active warps take turns, and one that exits makes room for the next") {
  // Warps 0, 4 and 8 are slots 0, 1 and 2 of a sub-core; 0 and 4 are active. In turn, after slot 0: 4, 0, 4, 0, 4 (its
  // EXIT, at 4). Then 8 is active, next in turn after slot 1, and so on.
  test::OneSmSetup setup = two_level(9);
  const auto run = test::run_listing(
      setup, {"[B------:R-:W-:-:S01] NOP", "[B------:R-:W-:-:S01] NOP", "[B------:R-:W-:-:S01] EXIT"});
  CHECK(run.issues(4) == std::vector<Cycle>{0, 2, 4});
  CHECK(run.issues(0) == std::vector<Cycle>{1, 3, 6});
  CHECK(run.issues(8) == std::vector<Cycle>{5, 7, 8});
  CHECK(run.cycles(8, stats::Stall::kNotSelected) == 6);
}

TEST_CASE("two levels: a warp that begins a long wait leaves the active set, one that begins a short wait stays") {
  const auto third_begins = [](const std::string& load) {
    const auto run = test::run_listing(
        two_level(9),
        {"[B------:R-:W0:-:S02] " + load, "[B0-----:R-:W-:-:S01] FADD R4, R1, R3", "[B------:R-:W-:-:S01] EXIT"});
    return std::pair(run.issues(8)[0], run.issues(4)[2]);
  };
  // Warp 4 loads at 0 and leaves; warp 8, in turn before warp 0, loads at 1.
  CHECK(third_begins("LDG.E R1, [R2.64]").first == 1);
  // Warps 4 and 0 load at 0 and 1 and stay; nobody else issues until warp 4 has exited.
  const auto [begin, exit] = third_begins("LDS R1, [R2]");
  CHECK(begin == exit + 1);
}

}  // namespace warp_policy_test
