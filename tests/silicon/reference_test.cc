// SPDX-License-Identifier: MIT
#include "tools/silicon/host/reference.h"

#include <cmath>
#include <limits>
#include <set>
#include <vector>

#include <catch2/catch.hpp>

namespace gpusim::silicon {
namespace {

TEST_CASE("a product of matrices has A's rows times B's rows in it") {
  const Product product{.m = 2, .n = 2, .k = 3, .a = {1, 2, 3, 4, 5, 6}, .b = {1, 0, 2, 0, 1, 0}, .factor = 2};
  CHECK(product.at(0, 0) == 14);
  CHECK(product.at(0, 1) == 4);
  CHECK(product.at(1, 0) == 32);
  CHECK(product.check({14, 4, 32, 10}, 100, {}).ok);
  CHECK(product.check({14, 4, 32, 11}, 100, {}).wrong == 1);
}

TEST_CASE("an element that nobody wrote is found, also where it is not a sample") {
  const Product product{.m = 100, .n = 100, .k = 1, .a = std::vector<float>(100), .b = std::vector<float>(100)};
  std::vector<float> c(10'000);
  c[1] = std::numeric_limits<float>::quiet_NaN();
  CHECK(product.check(c, 3, {}).wrong == 1);
}

TEST_CASE("attention weighs the rows of V by how well the keys fit") {
  const std::vector<double> result =
      attention_row(std::vector<float>{1, 0, 0, 0}, std::vector<float>{2, 0, 0, 0, 0, 9, 0, 0},
                    std::vector<float>{1, 0, 0, 0, 0, 1, 0, 0});
  const double weight = std::exp(1.0);  // 2 / sqrt(4)
  CHECK(result[0] == Approx(weight / (weight + 1)));
  CHECK(result[1] == Approx(1 / (weight + 1)));
}

TEST_CASE("samples lie all over, and are all where there are no more") {
  CHECK(sample_below(3, 10) == std::vector<std::size_t>{0, 1, 2});
  std::set<std::size_t> tenths;
  for (const std::size_t i : sample_below(1'000'000, 100)) {
    tenths.insert(i / 100'000);
  }
  CHECK(tenths.size() == 10);
}

}  // namespace
}  // namespace gpusim::silicon
