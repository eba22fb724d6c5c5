// SPDX-License-Identifier: MIT
// Which of several candidates each warp policy takes, and the names they go by.
#include "sim/machine/sm/warps/warp_policy.h"

#include <array>
#include <string>
#include <utility>
#include <variant>

#include <catch2/catch.hpp>

#include "sim/model/arch/loader.h"

#include "tests/support/one_sm.h"

using namespace gpusim;
using namespace gpusim::sm;

namespace {

/// Slots 0 to 3 with ages 5, 9, 1, 7; slot 2 is the oldest, slot 1 the youngest.
constexpr std::array<std::uint64_t, 4> kAges{5, 9, 1, 7};

std::uint32_t pick(std::string_view policy, SlotMask candidates, std::uint32_t last) {
  const PolicyView view{candidates, last, kAges};
  return std::visit([&view](const auto& p) { return p.pick(view); }, warp_policy(policy));
}

/// One CTA, of whose warps two a sub-core are active.
test::OneSmSetup two_level(std::uint32_t warps) {
  test::OneSmSetup setup;
  setup.arch = test::shipped_arch("h100");
  setup.arch.sm.scheduler = {"two-level", 2};
  setup.threads_per_cta = 32 * warps;
  return setup;
}

}  // namespace

TEST_CASE("greedy policies stay on the last warp, then take the youngest or the oldest") {
  CHECK(pick("gty", 0b1111, 0) == 0);
  CHECK(pick("gto", 0b1111, 3) == 3);
  CHECK(pick("gty", 0b1101, 1) == 3);
  CHECK(pick("gty", 0b1110, 0) == 1);
  CHECK(pick("gto", 0b1110, 0) == 2);
  CHECK(pick("gto", 0b1010, 0) == 3);
}

TEST_CASE("round robin takes the next candidate in slot order and wraps") {
  CHECK(pick("lrr", 0b1111, 0) == 1);
  CHECK(pick("lrr", 0b1001, 0) == 3);
  CHECK(pick("lrr", 0b0111, 3) == 0);
  CHECK(pick("lrr", 0b0100, 2) == 2);
}

TEST_CASE("oldest first leaves the last warp for an older one") {
  CHECK(pick("oldest", 0b1111, 1) == 2);
  CHECK(pick("oldest", 0b1011, 1) == 0);
}

TEST_CASE("round robin wraps at the last slot a mask can have") {
  const std::array<std::uint64_t, 32> ages{};
  const PolicyView view{0x80000001U, 31, ages};
  CHECK(LooseRoundRobin{}.pick(view) == 0);
}

TEST_CASE("the active set keeps its warps until they leave, and takes the oldest ready one in their place") {
  ActiveWarps active(2);
  CHECK(active.fill(0b1011, kAges) == 0b1001);  // slots 0 and 3 are older than 1; 2 is not ready
  CHECK(active.fill(0b1111, kAges) == 0b1001);  // full, although 2 is the oldest
  active.leave(3);
  CHECK(active.fill(0b0111, kAges) == 0b0101);
  active.leave(0);
  active.leave(2);
  CHECK(active.fill(0b1000, kAges) == 0b1000);
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

TEST_CASE("the architecture loader accepts exactly the policies there are") {
  const std::string file = std::string(GPUSIM_SOURCE_DIR) + "/configs/a100.yaml";
  for (const WarpPolicyEntry& entry : kWarpPolicies) {
    const std::array overrides{arch::Override{"sm.scheduler.policy", std::string(entry.name)}};
    CHECK(arch::load_arch(file, overrides).sm.scheduler.policy == entry.name);
  }
  const std::array unknown{arch::Override{"sm.scheduler.policy", "youngest"}};
  CHECK_THROWS_WITH(arch::load_arch(file, unknown), Catch::Contains("gty") && Catch::Contains("oldest"));
}
