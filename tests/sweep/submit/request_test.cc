// SPDX-License-Identifier: MIT
#include "sim/sweep/submit/request.h"

#include <limits>

#include <catch2/catch.hpp>

namespace gpusim::sweep {
namespace {

constexpr std::uint64_t kMiB = std::uint64_t{1} << 20;

TEST_CASE("A task of the default number of shards takes five to thirty minutes, where there is as much to do") {
  for (const double seconds : {0.01, 0.5, 12.0, 400.0}) {
    for (const std::uint64_t points : {200U, 5000U, 90'000U}) {
      const PointCost cost{seconds, seconds, 0};
      const double all = seconds * static_cast<double>(points);
      const std::uint64_t shards = shards_for(points, cost, 1);
      if (all > 15 * 60 && shards < kMostShards) {
        const double task = all / static_cast<double>(shards);
        CHECK(task >= 5 * 60);
        CHECK(task <= 30 * 60);
      }
    }
  }
}

TEST_CASE("There is a shard for nothing to do, no more shards than points, and never too many for an array") {
  CHECK(shards_for(0, {}, 1) == 1);
  CHECK(shards_for(3, {5000, 5000, 0}, 1) == 3);
  CHECK(shards_for(1'000'000, {5000, 5000, 0}, 1) == kMostShards);
}

TEST_CASE("Tasks of more cores are fewer") {
  const PointCost cost{60, 60, 0};
  CHECK(shards_for(600, cost, 1) == 40);
  CHECK(shards_for(600, cost, 8) == 5);
}

TEST_CASE("The time asked for is thrice the estimate, in steps of five minutes from ten on") {
  CHECK(minutes_for(1, {1, 1, 0}, 1) == 10);
  CHECK(minutes_for(20, {60, 60, 0}, 1) == 60);
  CHECK(minutes_for(20, {61, 61, 0}, 1) == 65);
  CHECK(minutes_for(20, {60, 60, 0}, 4) == 15);
}

TEST_CASE("The time asked for holds the slowest point, however many cores there are") {
  CHECK(minutes_for(4, {60, 1200, 0}, 4) == 60);
}

TEST_CASE("The memory asked for is twice the pilot's for each core, in steps from 512 MiB on") {
  CHECK(mebibytes_for({0, 0, 40 * kMiB}, 1) == 512);
  CHECK(mebibytes_for({0, 0, 300 * kMiB}, 1) == 768);
  CHECK(mebibytes_for({0, 0, 300 * kMiB}, 4) == 2560);
}

TEST_CASE("Absurd measurements give bounded requests") {
  const double huge = std::numeric_limits<double>::max();
  CHECK(minutes_for(1'000'000, {huge, huge, 0}, 1) == 365 * 24 * 60);
  CHECK(shards_for(1'000'000, {huge, huge, 0}, 1) == kMostShards);
  CHECK(mebibytes_for({0, 0, std::numeric_limits<std::uint64_t>::max()}, 64) == 1'000'000'000);
}

}  // namespace
}  // namespace gpusim::sweep
