// SPDX-License-Identifier: MIT
#include "sim/base/ring.h"

#include <deque>
#include <random>

#include <catch2/catch.hpp>

#include "sim/base/divider.h"

TEST_CASE("a ring gives back what it was given, in order, however it grows and wraps") {
  std::mt19937 random(1);
  gpusim::Ring<unsigned> ring;
  std::deque<unsigned> model;
  for (unsigned i = 0; i < 10'000; ++i) {
    if (!model.empty() && random() % 5 < 2 + i / 5'000) {
      REQUIRE(ring.front() == model.front());
      ring.pop_front();
      model.pop_front();
    } else {
      ring.push_back(i);
      model.push_back(i);
    }
    REQUIRE(ring.size() == model.size());
    REQUIRE(ring.empty() == model.empty());
  }
}

TEST_CASE("a divider divides any number exactly, near multiples and at the ends") {
  std::mt19937_64 random(2);
  for (int i = 0; i < 20'000; ++i) {
    const std::uint64_t divisor = i < 300 ? static_cast<std::uint64_t>(i) + 1 : 1 + random() % 0xffffffffULL;
    const gpusim::Divider divider(divisor);
    const std::uint64_t multiple = (random() >> random() % 64) / divisor * divisor;
    for (const std::uint64_t n : {multiple, multiple - 1, multiple + 1, ~std::uint64_t{0}, std::uint64_t{0}}) {
      REQUIRE(divider.quotient(n) == n / divisor);
      REQUIRE(divider.remainder(n) == n % divisor);
    }
  }
}
