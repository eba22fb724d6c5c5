// SPDX-License-Identifier: MIT
// Offsets of lanes in few words, and the numbers of equal sequences.
#include "sim/model/trace/lane_patterns.h"

#include <limits>
#include <random>
#include <vector>

#include <catch2/catch.hpp>

#include "sim/model/trace/intern.h"

namespace lane_patterns_test {

using namespace gpusim;
using namespace gpusim::trace;

namespace {

constexpr std::int64_t kLeast32 = std::numeric_limits<std::int32_t>::min();
constexpr std::int64_t kMost32 = std::numeric_limits<std::int32_t>::max();

LaneOffsets offsets_of(std::int64_t second, std::int64_t last) {
  LaneOffsets offsets{};
  offsets[1] = second;
  offsets[kWarpLanes - 1] = last;
  return offsets;
}

}  // namespace

TEST_CASE("packed offsets are those that were packed, up to the largest and the least of 64 bits") {
  constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  for (const std::int64_t second : {std::int64_t{0}, std::int64_t{-4}, kLeast32, kMost32, kLeast32 - 1, kMost32 + 1,
                                    std::int64_t{1} << 32, kLeast, kMost}) {
    for (const std::int64_t last : {std::int64_t{0}, std::int64_t{124}, kLeast, kMost}) {
      const LaneOffsets offsets = offsets_of(second, last);
      CHECK(unpacked(PackedOffsets(offsets).words()) == offsets);
    }
  }
}

TEST_CASE("packed offsets take a word for each lane that has one, and two where one needs them") {
  CHECK(PackedOffsets(LaneOffsets{}).words().size() == 1);
  CHECK(PackedOffsets(offsets_of(kLeast32, kMost32)).words().size() == 3);
  CHECK(PackedOffsets(offsets_of(4, kMost32 + 1)).words().size() == 5);
}

TEST_CASE("patterns have the numbers in whose order they came, packed or not") {
  LanePatterns patterns;
  std::vector<LaneOffsets> rows;
  for (std::int64_t i = 0; i < 20; ++i) {
    rows.push_back(offsets_of(i, i << (2 * i)));
    patterns.add(rows.back());
  }
  patterns.unpack(7);
  patterns.unpack(3);
  REQUIRE(patterns.size() == rows.size());
  for (std::uint32_t id = 0; id < rows.size(); ++id) {
    CHECK(patterns.at(id) == rows[id]);
  }
}

TEST_CASE("an unpacked pattern stays where it is while others are asked for") {
  LanePatterns patterns;
  patterns.add(offsets_of(4, 8));
  patterns.add(offsets_of(16, 32));
  patterns.unpack(0);
  const LaneOffsets& first = patterns.at(0);
  static_cast<void>(patterns.at(1));
  CHECK(first == offsets_of(4, 8));
}

TEST_CASE("equal sequences have one number, others the next, however many there are") {
  SequenceInterner<std::uint32_t> interner;
  std::mt19937 random(1);
  std::vector<std::vector<std::uint32_t>> sequences{{}};
  for (std::uint32_t i = 0; i < 3000; ++i) {
    sequences.emplace_back(random() % 5, i % 97).push_back(i);
  }
  for (int turn = 0; turn < 2; ++turn) {
    for (std::uint32_t i = 0; i < sequences.size(); ++i) {
      CHECK(interner.intern(sequences[i]) == i);
    }
  }
  CHECK(interner.find(sequences[1234]) == 1234U);
  CHECK(interner.find(std::vector<std::uint32_t>{1, 2, 3, 4, 5, 6}) == std::nullopt);
  CHECK(interner.size() == sequences.size());
  static_cast<void>(interner.take());
  CHECK(interner.intern(sequences[5]) == 0);
}

}  // namespace lane_patterns_test
