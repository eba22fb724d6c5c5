// SPDX-License-Identifier: MIT
#include "tools/silicon/host/statistics.h"

#include <limits>
#include <stdexcept>

#include <catch2/catch.hpp>

namespace gpusim::silicon {
namespace {

TEST_CASE("the median of an odd number of runs is the middle one, of an even number between the two") {
  CHECK(summarize({3, 1, 2}).median == 2);
  CHECK(summarize({4, 1, 3, 2}).median == 2.5);
}

TEST_CASE("quartiles lie between neighbours in proportion") {
  const Summary summary = summarize({10, 20, 30, 40});
  CHECK(summary.lower_quartile == 17.5);
  CHECK(summary.upper_quartile == 32.5);
  CHECK(summary.spread() == 15);
}

TEST_CASE("one slow run moves the largest value, not the median or the spread") {
  const Summary calm = summarize({100, 101, 102, 103, 104});
  const Summary outlier = summarize({100, 101, 102, 103, 9999});
  CHECK(outlier.median == calm.median);
  CHECK(outlier.spread() == calm.spread());
  CHECK(outlier.max == 9999);
}

TEST_CASE("the deviation is the median distance from the median") {
  CHECK(summarize({1, 1, 2, 2, 4, 6, 9}).deviation == 1);
}

TEST_CASE("a single run has no spread") {
  const Summary summary = summarize({7});
  CHECK(summary.median == 7);
  CHECK(summary.spread() == 0);
  CHECK(summary.n == 1);
}

TEST_CASE("no runs, or one that is not a number, give no figure") {
  CHECK_THROWS_AS(summarize({}), std::invalid_argument);
  CHECK_THROWS_AS(summarize({1, std::numeric_limits<double>::quiet_NaN()}), std::invalid_argument);
  CHECK_THROWS_AS(summarize({1, std::numeric_limits<double>::infinity()}), std::invalid_argument);
}

}  // namespace
}  // namespace gpusim::silicon
