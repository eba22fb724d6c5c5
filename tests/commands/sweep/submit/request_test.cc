// SPDX-License-Identifier: MIT
#include "sim/commands/sweep/submit/request.h"

#include <limits>

#include <catch2/catch.hpp>

namespace gpusim::sweep {
namespace {

constexpr std::uint64_t kMiB = std::uint64_t{1} << 20;

TEST_CASE("A task of the default number of shards takes five to thirty minutes, where there is as much to do") {
  for (const double seconds : {1000.0, 2000.0, 12'345.0, 800'000.0}) {
    const double task = seconds / static_cast<double>(shards_for(90'000, seconds, 1));
    CHECK(task >= 5 * 60);
    CHECK(task <= 30 * 60);
  }
}

TEST_CASE("There is a shard for nothing to do, no more shards than points, and never too many for an array") {
  CHECK(shards_for(0, 0, 1) == 1);
  CHECK(shards_for(3, 15'000, 1) == 3);
  CHECK(shards_for(1'000'000, 5e9, 1) == kMostShards);
}

TEST_CASE("Tasks of more cores are fewer") {
  CHECK(shards_for(600, 36'000, 1) == 40);
  CHECK(shards_for(600, 36'000, 8) == 5);
}

TEST_CASE("The time asked for is thrice the estimate, in steps of five minutes from ten on") {
  CHECK(minutes_for({1, 1}, 1) == 10);
  CHECK(minutes_for({1200, 60}, 1) == 60);
  CHECK(minutes_for({1201, 60}, 1) == 65);
  CHECK(minutes_for({1200, 60}, 4) == 15);
}

TEST_CASE("The time asked for holds the slowest point, however many cores there are") {
  CHECK(minutes_for({1500, 1200}, 4) == 60);
}

TEST_CASE("The memory asked for is twice the pilot's for each core, in steps from 512 MiB on") {
  CHECK(mebibytes_for(40 * kMiB, 1) == 512);
  CHECK(mebibytes_for(300 * kMiB, 1) == 768);
  CHECK(mebibytes_for(300 * kMiB, 4) == 2560);
}

TEST_CASE("Absurd measurements give bounded requests") {
  const double huge = std::numeric_limits<double>::max();
  CHECK(minutes_for({huge, huge}, 1) == 365 * 24 * 60);
  CHECK(shards_for(1'000'000, huge, 1) == kMostShards);
  CHECK(mebibytes_for(std::numeric_limits<std::uint64_t>::max(), 64) == 1'000'000'000);
}

}  // namespace
}  // namespace gpusim::sweep
