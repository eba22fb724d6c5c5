// SPDX-License-Identifier: MIT
// The banks of L1's tags against a measured curve, and what atomics take of L2's unit.
#include <array>

#include <catch2/catch.hpp>

#include "sim/machine/sm/memory/coalescer.h"

namespace tag_bank_test {

using namespace gpusim;
using namespace gpusim::sm;

namespace {

using Offsets = std::array<std::int64_t, kWarpLanes>;
constexpr L1DataStage kStage{4, 128};

Offsets strided(std::int64_t bytes) {
  Offsets offsets{};
  for (std::size_t lane = 0; lane < offsets.size(); ++lane) {
    offsets[lane] = static_cast<std::int64_t>(lane) * bytes;
  }
  return offsets;
}

trace::LaneAddresses at(Address base, const Offsets& offsets,
                        std::uint32_t pattern = trace::LaneAddresses::kNoPattern) {
  return {base, offsets.data(), pattern};
}

CoalescedAccess global(Address base, const Offsets& offsets, std::uint8_t bytes, LaneMask mask = kAllLanes) {
  CoalescedAccess shape;
  coalesce(at(base, offsets), mask, {bytes, 0}, kStage, shape);
  return shape;
}

}  // namespace

TEST_CASE("a line's bank of tags is the exclusive or of the digits of its number") {
  CHECK(tag_bank(0, 4) == 0);
  CHECK(tag_bank(3, 4) == 3);
  CHECK(tag_bank(4, 4) == 1);
  CHECK(tag_bank(7, 4) == 2);
  CHECK(tag_bank(0b11'10'01, 4) == (0b11 ^ 0b10 ^ 0b01));
  CHECK(tag_bank(Address{3} << 62, 4) == 3);
  CHECK(tag_bank(5, 1) == 0);
  CHECK(tag_bank(0b101'011, 8) == (0b101 ^ 0b011));
  CHECK(tag_bank(Address{1} << 60, 32) == 1);
}

// gpu-strides (te42kyfo/gpu-benches) on A100: lane t of a warp of two loads the words 0, 4, ... 28 behind word (t mod
// 64) x stride. Wavefronts a load, mean; float then double.
TEST_CASE("the cycles of strided loads are those measured on an A100, within a tenth but for strides of three words") {
  struct Row {
    std::int64_t stride;
    double floats;
    double doubles;
  };
  constexpr Row kMeasured[] = {{0, 1.02, 2.01},  {1, 1.02, 2.01},  {2, 2.00, 4.00},  {4, 4.00, 8.00}, {5, 2.20, 3.34},
                               {6, 2.36, 4.00},  {7, 2.67, 4.04},  {9, 3.03, 5.1},   {11, 3.64, 6.1}, {13, 4.02, 7.1},
                               {16, 16.0, 32.0}, {19, 5.6, 9.4},   {24, 8.0, 16.0},  {31, 8.5, 9.2},  {33, 8.8, 9.0},
                               {40, 9.8, 16.0},  {47, 10.1, 11.7}, {53, 11.1, 12.8}, {57, 9.2, 9.6},  {64, 32.0, 32.0}};
  const auto mean = [](std::int64_t stride, std::uint8_t bytes) {
    double sum = 0;
    for (const std::int64_t first : {std::int64_t{0}, 32 * stride}) {
      for (std::int64_t word = 0; word < 32; word += 4) {
        sum += global(static_cast<Address>((first + word) * bytes), strided(stride * bytes), bytes).wavefronts;
      }
    }
    return sum / 16;
  };
  for (const Row& row : kMeasured) {
    INFO("stride " << row.stride);
    CHECK(mean(row.stride, 4) == Approx(row.floats).epsilon(0.1));
    CHECK(mean(row.stride, 8) == Approx(row.doubles).epsilon(0.1));
  }
  CHECK(mean(3, 4) == Approx(1.63).epsilon(0.13));
  CHECK(mean(3, 8) == Approx(2.42).epsilon(0.1));
}

TEST_CASE("an atomic's passes are its lanes on the most wanted word of each sector, its depth those on one of all") {
  const auto atomic = [](const Offsets& offsets, LaneMask mask) {
    CoalescedAccess shape;
    coalesce(at(0, offsets), mask, {4, 0, DataPath::kAtomics}, kStage, shape);
    return shape;
  };
  const CoalescedAccess spread = atomic(strided(4), kAllLanes);
  CHECK(spread.lines[0].passes == 4);
  CHECK(spread.lines[0].depth == 1);
  const CoalescedAccess same = atomic(strided(0), 0x00ffffff);
  CHECK(same.lines[0].passes == 24);
  CHECK(same.lines[0].depth == 24);
  Offsets mixed = strided(4);
  mixed[9] = mixed[10] = mixed[8];  // three lanes on a word of the second sector, whose others have one or none
  mixed[31] = 128;
  const CoalescedAccess two = atomic(mixed, kAllLanes);
  REQUIRE(two.line_count == 2);
  CHECK(two.lines[0].passes == 1 + 3 + 1 + 1);
  CHECK(two.lines[0].depth == 3);
  CHECK(two.lines[1].passes == 1);
}

}  // namespace tag_bank_test
