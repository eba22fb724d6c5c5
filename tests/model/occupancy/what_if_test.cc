// SPDX-License-Identifier: MIT
// Curves and proposals, each against residency itself.
#include "sim/model/occupancy/what_if.h"

#include <algorithm>

#include <catch2/catch.hpp>

#include "sim/model/arch/arch.h"
#include "sim/model/occupancy/residency.h"

#include "tests/model/occupancy/support.h"
#include "tests/support/one_sm.h"

namespace what_if_test {

using namespace gpusim;
using occupancy::Knob;
using occupancy::LaunchShape;
using occupancy::Proposal;
using test::kKiB;
using test::small_launch;

namespace {

double percent(const arch::SmConfig& sm, const LaunchShape& shape) {
  return occupancy::residency(sm, shape).occupancy.theoretical_pct();
}

/// Few large CTAs: registers and shared memory are near each other.
LaunchShape heavy_launch() {
  LaunchShape shape = small_launch();
  shape.registers_per_thread = 168;
  shape.static_shared_bytes = 98'304;
  return shape;
}

}  // namespace

TEST_CASE("a curve rises in its value, holds the present point once, and says what residency says") {
  const arch::Arch h100 = test::shipped_arch("h100");
  LaunchShape shape = heavy_launch();
  shape.threads_per_cta = 100;
  shape.registers_per_thread = 93;
  shape.dynamic_shared_bytes = 7;
  for (const Knob knob : occupancy::kCurves) {
    const std::vector<occupancy::Point> curve = occupancy::curve(h100.sm, shape, knob);
    CHECK(std::ranges::is_sorted(curve, std::less_equal(), &occupancy::Point::value));
    const auto now = std::ranges::find(curve, occupancy::value_of(shape, knob), &occupancy::Point::value);
    REQUIRE(now != curve.end());
    CHECK(now->occupancy_pct == percent(h100.sm, shape));
    CHECK(std::ranges::count(curve, now->value, &occupancy::Point::value) == 1);
  }
  for (const occupancy::Point& point : occupancy::curve(h100.sm, shape, Knob::kRegisters)) {
    LaunchShape other = shape;
    other.registers_per_thread = static_cast<std::uint32_t>(point.value);
    CHECK(point.ctas_per_sm == occupancy::residency(h100.sm, other).occupancy.ctas_per_sm);
    CHECK(point.warps_per_sm == point.ctas_per_sm * 4);  // CTAs of 100 threads
  }
}

TEST_CASE("curves reach from one warp, one unit of registers and no shared memory to the most a CTA may have") {
  const arch::Arch h100 = test::shipped_arch("h100");
  const auto ends = [&h100](Knob knob, const LaunchShape& shape) {
    const std::vector<occupancy::Point> curve = occupancy::curve(h100.sm, shape, knob);
    return std::pair(curve.front().value, curve.back().value);
  };
  CHECK(ends(Knob::kBlock, small_launch()) == std::pair<std::uint64_t, std::uint64_t>(32, 1024));
  CHECK(ends(Knob::kRegisters, small_launch()) == std::pair<std::uint64_t, std::uint64_t>(8, 255));
  CHECK(ends(Knob::kSharedMem, small_launch()) == std::pair<std::uint64_t, std::uint64_t>(0, 227 * kKiB));
  LaunchShape modest = small_launch();
  modest.opt_in = false;
  CHECK(ends(Knob::kSharedMem, modest).second == 48 * kKiB);
}

TEST_CASE("the cheapest change is the first, and a smaller one of its kind would not help") {
  const arch::Arch h100 = test::shipped_arch("h100");
  const LaunchShape shape = heavy_launch();
  const std::vector<Proposal> proposals = occupancy::proposals(h100.sm, shape);
  REQUIRE_FALSE(proposals.empty());
  CHECK(std::ranges::is_sorted(proposals, {}, &Proposal::relative_change));
  const Proposal& first = proposals.front();
  REQUIRE(first.changes.size() == 1);
  CHECK(first.changes.front().knob == Knob::kSharedMem);
  // Three CTAs in 228 KiB: 76 KiB each, the driver's KiB among them.
  CHECK(first.changes.front().from == 98'304);
  CHECK(first.changes.front().to == 75 * kKiB);
  CHECK(first.ctas_per_sm == 3);
  LaunchShape changed = shape;
  changed.static_shared_bytes = 75 * kKiB;
  CHECK(first.occupancy_pct == percent(h100.sm, changed));
  changed.static_shared_bytes += 1;
  CHECK(percent(h100.sm, changed) == percent(h100.sm, shape));
}

TEST_CASE("every proposal raises occupancy, whatever the launch") {
  for (const char* gpu : {"a100", "h100"}) {
    const arch::Arch arch = test::shipped_arch(gpu);
    for (const LaunchShape& shape : test::some_launches()) {
      for (const Proposal& proposal : occupancy::proposals(arch.sm, shape)) {
        CHECK(proposal.occupancy_pct > percent(arch.sm, shape));
        CHECK(proposal.relative_change > 0);
      }
    }
  }
}

TEST_CASE("two resources that bind together are given up together when neither alone helps") {
  const arch::Arch h100 = test::shipped_arch("h100");
  LaunchShape shape = small_launch();
  // One CTA fits by registers (1,024 threads of 64) and by shared memory; warps would allow two.
  shape.threads_per_cta = 1024;
  shape.registers_per_thread = 64;
  shape.dynamic_shared_bytes = 200 * kKiB;
  shape.barriers = 0;
  const std::vector<Proposal> proposals = occupancy::proposals(h100.sm, shape);
  REQUIRE(proposals.size() == 1);
  REQUIRE(proposals.front().changes.size() == 2);
  CHECK(proposals.front().changes[0].to == 32);
  CHECK(proposals.front().changes[1].to == 113 * kKiB);
  CHECK(proposals.front().ctas_per_sm == 2);
  CHECK(proposals.front().occupancy_pct == 100);
}

TEST_CASE("nothing is proposed when every warp slot is taken") {
  const arch::Arch h100 = test::shipped_arch("h100");
  CHECK(percent(h100.sm, small_launch()) == 100);
  CHECK(occupancy::proposals(h100.sm, small_launch()).empty());
}

TEST_CASE("a launch that fits nowhere is told what would make it fit") {
  const arch::Arch h100 = test::shipped_arch("h100");
  LaunchShape shape = small_launch();
  shape.dynamic_shared_bytes = 1ULL << 40U;
  const std::vector<Proposal> proposals = occupancy::proposals(h100.sm, shape);
  REQUIRE(proposals.size() == 1);
  CHECK(proposals.front().changes.front().to == 227 * kKiB);
}

}  // namespace what_if_test
