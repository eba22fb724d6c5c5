// SPDX-License-Identifier: MIT
// What a kernel touches of its buffers, and walks that see all of a grid.
#include "sim/model/trace/footprint.h"

#include <array>

#include <catch2/catch.hpp>

#include "sim/model/trace/kernel.h"

namespace footprint_test {

using namespace gpusim;
using namespace gpusim::trace;

namespace {

/// Lane i at base + i * stride.
struct Lanes {
  std::array<std::int64_t, kWarpLanes> offsets{};
  LaneAddresses at;
  Lanes(Address base, std::int64_t stride) {
    for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
      offsets[lane] = lane * stride;
    }
    at.base = base;
    at.offsets = offsets.data();
  }
};

Kernel with_buffers(std::vector<Buffer> buffers) {
  Kernel kernel;
  kernel.buffers = std::move(buffers);
  return kernel;
}

}  // namespace

TEST_CASE("a footprint counts a sector once, however often and in whichever part it is touched") {
  const Kernel kernel = with_buffers({{"x", isa::MemSpace::kGlobal, 0x1000, 4096}});
  Footprint footprint;
  footprint.touch(Lanes(0x1000, 4).at, kAllLanes, 4);
  footprint.touch(Lanes(0x1000, 4).at, kAllLanes, 4);
  CHECK(footprint.by_buffer(kernel).at(0).bytes == 128);
  footprint.touch(Lanes(0x1000, 64).at, 0x1U << 2U, 1);
  CHECK(footprint.by_buffer(kernel).at(0).bytes == 160);
  // Sixteen bytes over the border of two sectors.
  footprint.touch(Lanes(0x1218, 0).at, 1, 16);
  CHECK(footprint.by_buffer(kernel).at(0).bytes == 224);
  CHECK(footprint.by_buffer(kernel).at(0).of_bytes == 4096);
}

TEST_CASE("lanes beyond the mask touch nothing") {
  const Kernel kernel = with_buffers({{"x", isa::MemSpace::kGlobal, 0x1000, 4096}});
  Footprint footprint;
  footprint.touch(Lanes(0x1000, 32).at, 0x0fU, 4);
  CHECK(footprint.by_buffer(kernel).at(0).bytes == 4 * 32);
  footprint.touch(Lanes(0x1000, 32).at, 0, 4);
  CHECK(footprint.by_buffer(kernel).at(0).bytes == 4 * 32);
}

TEST_CASE("a footprint is told by buffer, in their order, with what lies in none at the end") {
  const Kernel kernel = with_buffers({{"b", isa::MemSpace::kGlobal, 0x20000, 100},
                                      {"s", isa::MemSpace::kShared, 0, 4096},
                                      {"a", isa::MemSpace::kGlobal, 0x10000, 64},
                                      {"c", isa::MemSpace::kGlobal, 0x30000, 64}});
  Footprint footprint;
  footprint.touch(Lanes(0x10000, 0).at, 1, 4);
  // The last sector of b reaches beyond its 100 bytes.
  footprint.touch(Lanes(0x20000 + 96, 0).at, 1, 4);
  footprint.touch(Lanes(0x50000000, 1 << 20).at, 0x3U, 4);
  const std::vector<Touched> rows = footprint.by_buffer(kernel);
  REQUIRE(rows.size() == 3);
  CHECK(rows[0].buffer == "b");
  CHECK(rows[0].bytes == 4);
  CHECK(rows[1].buffer == "a");
  CHECK(rows[1].bytes == 32);
  CHECK(rows[2].buffer.empty());
  CHECK(rows[2].bytes == 64);
  CHECK(rows[2].of_bytes == 0);
}

}  // namespace footprint_test
