// SPDX-License-Identifier: MIT
#include "sim/exec/alike/region.h"

#include <catch2/catch.hpp>

namespace region_test {

using namespace gpusim;
using namespace gpusim::exec;

TEST_CASE("a region without bounds has every CTA") {
  CHECK(Region().contains({1'000'000, -5, 7}));
}

TEST_CASE("each bound holds what its slope gives, with both of its numbers") {
  Region region;
  region.require({4, 0, 0}, -8, 12);
  CHECK(region.contains({-2, 0, 0}));
  CHECK(region.contains({3, 99, 99}));
  CHECK_FALSE(region.contains({-3, 0, 0}));
  CHECK_FALSE(region.contains({4, 0, 0}));
}

TEST_CASE("bounds of one slope shrink to what all of them allow") {
  Region region;
  region.require({4, 0, 0}, -8, 12);
  region.require({0, 1, 0}, 0, 100);
  region.require({4, 0, 0}, -20, 4);
  CHECK(region.contains({1, 100, 0}));
  CHECK_FALSE(region.contains({2, 0, 0}));
  CHECK_FALSE(region.contains({1, 101, 0}));
}

TEST_CASE("a slope that is fixed leaves the CTAs in which it gives nothing") {
  Region region;
  region.fix({1, -3, 0});
  CHECK(region.contains({3, 1, 5}));
  CHECK_FALSE(region.contains({1, 1, 5}));
}

TEST_CASE("what does not change bounds nothing") {
  Region region;
  region.require({}, 0, 0);
  CHECK(region.contains({5, 5, 5}));
}

TEST_CASE("with too many slopes a region has its first CTA alone") {
  Region region;
  for (std::int64_t slope = 1; slope < 1000; ++slope) {
    region.require({slope, 0, 0}, -1'000'000, 1'000'000);
  }
  CHECK(region.contains({0, 0, 0}));
  CHECK_FALSE(region.contains({1, 0, 0}));
}

TEST_CASE("slopes and distances of the largest grids do not overflow") {
  constexpr std::int64_t kFar = (std::int64_t{1} << 31U) - 1;
  const Slope steep{Slope::kMost, -Slope::kMost, Slope::kMost};
  CHECK(steep.over({kFar, -kFar, kFar}) == 3 * Slope::kMost * kFar);
}

}  // namespace region_test
