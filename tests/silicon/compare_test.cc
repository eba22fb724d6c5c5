// SPDX-License-Identifier: MIT
#include "tools/silicon/host/compare.h"

#include <limits>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

namespace gpusim::silicon {
namespace {

Comparison compared(const std::vector<double>& got, const std::vector<double>& expected, Tolerance tolerance) {
  return compare(got, expected, tolerance);
}

TEST_CASE("numbers within the tolerance are right, relative to large ones and absolute for small ones") {
  CHECK(compared({1000.9, 0.0009}, {1000, 0}, {.relative = 1e-3, .absolute = 1e-3}).ok);
  CHECK_FALSE(compared({1002.0, 0}, {1000, 0}, {.relative = 1e-3, .absolute = 1e-3}).ok);
  CHECK_FALSE(compared({1000, 0.002}, {1000, 0}, {.relative = 1e-3, .absolute = 1e-3}).ok);
}

TEST_CASE("the element farthest beyond the tolerance is named") {
  const Comparison comparison = compared({1, 2.5, 3.1}, {1, 2, 3}, {});
  CHECK(comparison.wrong == 2);
  CHECK(comparison.worst == 1);
  CHECK(comparison.max_difference == 0.5);
  CHECK_THAT(describe(comparison), Catch::Contains("2 elements off; element 1 is 2.5, not 2"));
}

TEST_CASE("NaN is never right, also not where everything else would be tolerated") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const Comparison comparison = compared({1, nan, 3}, {1, 2, 3}, {.relative = 1e9, .absolute = 1e9});
  CHECK_FALSE(comparison.ok);
  CHECK(comparison.worst == 1);
}

TEST_CASE("elements that are missing or too many are wrong") {
  CHECK(compared({1, 2}, {1, 2, 3}, {}).wrong == 1);
  CHECK_FALSE(compared({1, 2, 3}, {1, 2}, {}).ok);
}

TEST_CASE("the error of the whole is relative to the reference") {
  CHECK(compared({3, 4.5}, {3, 4}, {.relative = 1, .absolute = 0}).norm_error == Approx(0.1));
}

TEST_CASE("other element types are widened first") {
  CHECK(compare(std::vector<float>{0.5f, 0.25f}, std::vector<double>{0.5, 0.25}, {}).ok);
}

}  // namespace
}  // namespace gpusim::silicon
