// SPDX-License-Identifier: MIT
#include "sim/base/equal_bytes.h"

#include <array>
#include <random>

#include <catch2/catch.hpp>

TEST_CASE("sixteen bytes compared at once and one by one give the same bits") {
  std::mt19937 random(3);
  std::array<unsigned char, gpusim::kBytesAtOnce + 1> bytes{};
  for (int round = 0; round < 2000; ++round) {
    for (unsigned char& byte : bytes) {
      byte = static_cast<unsigned char>(random() % 4 * 85);
    }
    const auto value = static_cast<std::uint8_t>(random() % 4 * 85);
    const unsigned char* const unaligned = bytes.data() + round % 2;
    REQUIRE(gpusim::equal_bytes(unaligned, value) == gpusim::equal_bytes_portably(unaligned, value));
  }
}

TEST_CASE("the first byte is the lowest bit") {
  std::array<unsigned char, gpusim::kBytesAtOnce> bytes{};
  bytes[0] = 7;
  bytes[15] = 7;
  CHECK(gpusim::equal_bytes(bytes.data(), 7) == 0x8001U);
}
