// SPDX-License-Identifier: MIT
#include "sim/commands/sweep/study/exact.h"

#include <limits>

#include <catch2/catch.hpp>

using gpusim::sweep::at_digits;
using gpusim::sweep::Exact;
using gpusim::sweep::Int128;
using gpusim::sweep::NotExact;
using gpusim::sweep::to_decimal;

TEST_CASE("fractions are exact and in lowest terms") {
  CHECK(Exact::of(1, 10) + Exact::of(2, 10) == Exact::of(3, 10));
  CHECK(Exact::of(6, -4) == Exact::of(-3, 2));
  CHECK(Exact::of(2, 3) * Exact::of(3, 4) == Exact::of(1, 2));
  CHECK(Exact(7) / 2 - 3 == Exact::of(1, 2));
  CHECK(Exact::of(1, 3) < Exact::of(34, 100));
}

TEST_CASE("halves are rounded away from zero") {
  CHECK(Exact::of(5, 2).rounded() == 3);
  CHECK(Exact::of(-5, 2).rounded() == -3);
  CHECK(Exact::of(7, 3).rounded() == 2);
}

TEST_CASE("decimals are written in full or not at all") {
  CHECK(to_decimal(Exact::of(-5, 4), 6) == "-1.25");
  CHECK(to_decimal(Exact::of(1, 200), 6) == "0.005");
  CHECK(to_decimal(Exact(0), 6) == "0");
  CHECK(to_decimal(Exact::of(1, 3), 6).empty());
  CHECK(to_decimal(Int128{std::numeric_limits<std::int64_t>::min()}) == "-9223372036854775808");
}

TEST_CASE("a number at so many digits is the nearest of them") {
  CHECK(at_digits(Exact::of(4, 3), 6) == Exact::of(133333, 100000));
  CHECK(at_digits(Exact(1234567), 3) == Exact(1230000));
  CHECK(at_digits(Exact(999999), 3) == Exact(1000000));
  CHECK(at_digits(Exact(0), 6) == Exact(0));
  CHECK(Exact::near(0.1) == Exact::of(1, 10));
  CHECK(Exact::near(2048.0) == Exact(2048));
}

TEST_CASE("what leaves 128 bits throws instead of wrapping") {
  const Exact large(std::numeric_limits<std::int64_t>::max());
  CHECK_THROWS_AS(large * large * large, NotExact);
  CHECK_THROWS_AS(Exact(1) / 0, NotExact);
  CHECK_THROWS_AS(Exact::of(Int128{1} << 127, 1), NotExact);
}
