// SPDX-License-Identifier: MIT
// Which of several candidates each warp policy takes, and the names they go by.
#include "sim/sm/warp_policy.h"

#include <array>
#include <string>
#include <variant>

#include <catch2/catch.hpp>

#include "sim/arch/loader.h"

using namespace gpusim;
using namespace gpusim::sm;

namespace {

/// Slots 0 to 3 with ages 5, 9, 1, 7; slot 2 is the oldest, slot 1 the youngest.
constexpr std::array<std::uint64_t, 4> kAges{5, 9, 1, 7};

std::uint32_t pick(std::string_view policy, SlotMask candidates, std::uint32_t last) {
  const PolicyView view{candidates, last, kAges};
  return std::visit([&view](const auto& p) { return p.pick(view); }, warp_policy(policy));
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

TEST_CASE("the architecture loader accepts exactly the policies there are") {
  const std::string file = std::string(GPUSIM_SOURCE_DIR) + "/configs/a100.yaml";
  for (const WarpPolicyEntry& entry : kWarpPolicies) {
    const std::array overrides{arch::Override{"sm.scheduler.policy", std::string(entry.name)}};
    CHECK(arch::load_arch(file, overrides).sm.scheduler.policy == entry.name);
  }
  const std::array unknown{arch::Override{"sm.scheduler.policy", "youngest"}};
  CHECK_THROWS_WITH(arch::load_arch(file, unknown), Catch::Contains("gty") && Catch::Contains("oldest"));
}
