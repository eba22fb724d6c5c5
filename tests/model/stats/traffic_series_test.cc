// SPDX-License-Identifier: MIT
#include "sim/model/stats/traffic_series.h"

#include <catch2/catch.hpp>

using namespace gpusim;
using stats::TrafficCounters;

TEST_CASE("what moves across the end of an interval is cut there, and nothing is lost") {
  stats::TrafficSeries series(10);  // ticks a cycle
  series.add(&TrafficCounters::dram_read_bytes, 64 * 10 - 5, 64 * 10 + 11, 32);
  CHECK(series.table().row(0).dram_read_bytes == 10);
  CHECK(series.table().row(1).dram_read_bytes == 22);
}

TEST_CASE("what ends with an interval leaves nothing in the next one") {
  stats::TrafficSeries series(64);
  series.add(&TrafficCounters::l2_sectors, 63 * 64, 64 * 64, 2);
  CHECK(series.table().row(0).l2_sectors == 2);
  CHECK(series.table().row(1).l2_sectors == 0);
}

TEST_CASE("what takes longer than intervals fills each evenly, also beyond those there were") {
  stats::TrafficSeries series(1);
  series.add(&TrafficCounters::l2_sectors, 64 * 254, 64 * 258, 400);  // intervals have 128 cycles then
  CHECK(series.table().shift() == 7);
  CHECK(series.table().row(127).l2_sectors == 200);
  CHECK(series.table().row(128).l2_sectors == 200);
}
