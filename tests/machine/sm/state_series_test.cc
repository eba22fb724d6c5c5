// SPDX-License-Identifier: MIT
#include <catch2/catch.hpp>

#include "sim/machine/sm/warps/stall_records.h"

namespace state_series_test {

using namespace gpusim;
using stats::Stall;

namespace {

std::uint64_t cycles(const sm::StateSeries& series, std::size_t interval, Stall state) {
  return series.table().row(interval)[static_cast<std::size_t>(state)];
}

}  // namespace

TEST_CASE("a state that lasts over several intervals has in each the cycles it spent there") {
  sm::StateSeries series;
  series.add(Stall::kLongScoreboard, 60, 80);
  CHECK(cycles(series, 0, Stall::kLongScoreboard) == 4);
  CHECK(cycles(series, 1, Stall::kLongScoreboard) == 64);
  CHECK(cycles(series, 2, Stall::kLongScoreboard) == 12);
  CHECK(cycles(series, 3, Stall::kLongScoreboard) == 0);
}

TEST_CASE("a state that ends with an interval leaves nothing in the next") {
  sm::StateSeries series;
  series.add(Stall::kBarrier, 63, 1);
  CHECK(cycles(series, 0, Stall::kBarrier) == 1);
  CHECK(cycles(series, 1, Stall::kBarrier) == 0);
}

TEST_CASE("a state that lasts beyond all intervals so far doubles their length first") {
  sm::StateSeries series;
  series.add(Stall::kWait, 0, 64 * 256 + 10);
  CHECK(series.table().shift() == 7);
  CHECK(cycles(series, 127, Stall::kWait) == 128);
  CHECK(cycles(series, 128, Stall::kWait) == 10);
}

}  // namespace state_series_test
