// SPDX-License-Identifier: MIT
#include "sim/base/zeroed_array.h"

#include <cstdint>
#include <utility>

#include <catch2/catch.hpp>

namespace {

struct alignas(64) Line {
  unsigned char bytes[64];
};

}  // namespace

TEST_CASE("a zeroed array is aligned, all zero, and keeps what is written to its ends") {
  gpusim::ZeroedArray<Line> lines(1000);
  REQUIRE(lines.size() == 1000);
  CHECK(reinterpret_cast<std::uintptr_t>(&lines[0]) % alignof(Line) == 0);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    for (const unsigned char byte : lines[i].bytes) {
      REQUIRE(byte == 0);
    }
  }
  lines[0].bytes[0] = 1;
  lines[999].bytes[63] = 2;
  const gpusim::ZeroedArray<Line> moved = std::move(lines);
  CHECK(moved[0].bytes[0] == 1);
  CHECK(moved[999].bytes[63] == 2);
}
