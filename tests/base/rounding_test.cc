// SPDX-License-Identifier: MIT
#include "sim/base/rounding.h"

#include <cstdint>

#include <catch2/catch.hpp>

using namespace gpusim;

TEST_CASE("a part that is not full counts as one, and nothing needs no part") {
  CHECK(ceil_divide(0U, 32) == 0);
  CHECK(ceil_divide(1U, 32) == 1);
  CHECK(ceil_divide(64U, 32) == 2);
  CHECK(ceil_divide(65U, 32) == 3);
}

TEST_CASE("rounding up ends at a multiple, which stays what it is") {
  CHECK(round_up(0U, 8) == 0);
  CHECK(round_up(33U, 8) == 40);
  CHECK(round_up(40U, 8) == 40);
}

TEST_CASE("the larger type holds what a small one would not") {
  constexpr std::uint8_t kBytes = 250;
  CHECK(round_up<std::uint32_t>(kBytes, 64) == 256);
}
