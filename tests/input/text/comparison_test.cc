// SPDX-License-Identifier: MIT
// Guards that compare elements with bounds, as most kernels begin: whole warps on one side, the bound within a warp.
#include <cstdint>
#include <functional>
#include <string>

#include <catch2/catch.hpp>

#include "tests/input/text/support.h"

namespace comparison_test {

using namespace gpusim;
using namespace gpusim::test;

namespace {

constexpr std::uint32_t kCtas = 4;
constexpr std::uint32_t kThreads = 96;

/// Lanes for which `holds(CTA, thread)`.
LaneMask lanes_where(const std::function<bool(std::int64_t, std::int64_t)>& holds, std::uint32_t cta,
                     std::uint32_t warp) {
  LaneMask mask = 0;
  for (std::uint32_t lane = 0; lane < kWarpLanes; ++lane) {
    mask |= LaneMask{holds(cta, warp * kWarpLanes + lane)} << lane;
  }
  return mask;
}

/// Checks the lanes of a guard in each warp of each CTA.
void check_guard(const std::string& condition, const std::function<bool(std::int64_t, std::int64_t)>& holds) {
  INFO(condition);
  const trace::Trace trace = load(kernel_text(
      "grid (" + std::to_string(kCtas) + ")\nblock (" + std::to_string(kThreads) + ")\nbuffer x f32[1000]\n",
      "let i = ctaid.x*96 + tid\n@P0 EXIT when " + condition + "\nEXIT\n"));
  for (std::uint32_t cta = 0; cta < kCtas; ++cta) {
    for (std::uint32_t warp = 0; warp < kThreads / kWarpLanes; ++warp) {
      INFO("CTA " << cta << ", warp " << warp);
      CHECK(walk(trace.kernels.at(0), {cta, 0, 0}, warp).at(0).mask == lanes_where(holds, cta, warp));
    }
  }
}

}  // namespace

TEST_CASE("a bound that cuts through a warp parts its lanes, and those of other warps stay together") {
  check_guard("i < 110", [](auto cta, auto tid) { return cta * 96 + tid < 110; });
  check_guard("i >= 110", [](auto cta, auto tid) { return cta * 96 + tid >= 110; });
}

TEST_CASE("a bound at the edge of a warp belongs to the side that the operator says") {
  check_guard("i < 128", [](auto cta, auto tid) { return cta * 96 + tid < 128; });
  check_guard("i <= 127", [](auto cta, auto tid) { return cta * 96 + tid <= 127; });
  check_guard("i <= 128", [](auto cta, auto tid) { return cta * 96 + tid <= 128; });
  check_guard("i > 127", [](auto cta, auto tid) { return cta * 96 + tid > 127; });
  check_guard("128 <= i", [](auto cta, auto tid) { return cta * 96 + tid >= 128; });
}

TEST_CASE("values that are the same in all lanes are equal in all or in none") {
  check_guard("ctaid.x + tid*0 <= 2", [](auto cta, auto) { return cta <= 2; });
  check_guard("ctaid.x + tid/1000 < 2", [](auto cta, auto) { return cta < 2; });
}

TEST_CASE("both sides of a comparison may depend on the lane and the CTA") {
  check_guard("tid*3 < ctaid.x*100 + lane", [](auto cta, auto tid) { return tid * 3 < cta * 100 + tid % 32; });
  check_guard("500 - i*2 <= tid % 7 + ctaid.x*40",
              [](auto cta, auto tid) { return 500 - (cta * 96 + tid) * 2 <= tid % 7 + cta * 40; });
}

TEST_CASE("sums beyond the largest number begin at the smallest again in a comparison, too") {
  check_guard("i*4611686018427387904 < ctaid.x", [](std::int64_t cta, std::int64_t tid) {
    const auto product = static_cast<std::int64_t>(static_cast<std::uint64_t>(cta * 96 + tid) << 62U);
    return product < cta;
  });
  check_guard("9223372036854775800 + i < 5", [](std::int64_t cta, std::int64_t tid) {
    return static_cast<std::int64_t>(9223372036854775800ULL + static_cast<std::uint64_t>(cta * 96 + tid)) < 5;
  });
}

}  // namespace comparison_test
