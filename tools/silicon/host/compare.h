// SPDX-License-Identifier: MIT
// A kernel's numbers against a reference in double precision. A kernel that gives wrong numbers has no timing.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace gpusim::silicon {

/// An element may differ from the reference r by absolute + relative * |r|.
struct Tolerance {
  double relative = 0;
  double absolute = 0;
};

struct Comparison {
  bool ok = true;
  std::size_t wrong = 0;      ///< elements beyond the tolerance, missing ones and NaN included
  std::size_t worst = 0;      ///< index of the element farthest beyond it
  double got = 0;             ///< that element
  double expected = 0;        ///< and its reference
  double max_difference = 0;  ///< largest |got - expected|
  double norm_error = 0;      ///< |got - expected| / |expected|, Euclidean
};

/// Different lengths are never ok.
[[nodiscard]] Comparison compare(std::span<const double> got, std::span<const double> expected, Tolerance tolerance);

/// The same for any element type that converts to double.
template <typename T>
[[nodiscard]] Comparison compare(const std::vector<T>& got, std::span<const double> expected, Tolerance tolerance) {
  std::vector<double> wide;
  wide.reserve(got.size());
  for (const T& value : got) {
    wide.push_back(static_cast<double>(value));
  }
  return compare(std::span<const double>(wide), expected, tolerance);
}

/// One line for people: how many elements are off, the worst of them, the error of the whole.
[[nodiscard]] std::string describe(const Comparison& comparison);

}  // namespace gpusim::silicon
