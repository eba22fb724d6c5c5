// SPDX-License-Identifier: MIT
// What a kernel calculated beside what it should have.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "sim/code/array/element.h"

namespace gpusim::array {

/// Elements that lie somewhere else.
struct View {
  Element element = Element::kF32;
  std::uint64_t count = 0;
  const char* bytes = nullptr;
  [[nodiscard]] const char* at(std::uint64_t index) const { return bytes + index * bytes_of(element); }
};

struct Comparison {
  std::uint64_t count = 0;
  std::uint64_t mismatches = 0;
  std::uint64_t first = 0;   ///< index of the first mismatch
  std::string first_actual;  ///< and what stands there
  std::string first_expected;
  double worst = 0;  ///< the largest error; infinite where one is not a number or infinite and the other is not
  std::uint64_t worst_at = 0;
};

/// Compares the two, of equal counts. An element matches when |actual - expected| is at most `tolerance` times the
/// larger of 1 and |expected|; the quotient of the two is its error. Two NaN match, and equal infinities do.
[[nodiscard]] Comparison compare(const View& actual, const View& expected, double tolerance);

/// "3 of 1,024 elements differ: the first at [17] is 2.5 instead of 2, the worst error is 0.25 at [18] (allowed:
/// 1e-05)"
[[nodiscard]] std::string to_text(const Comparison& comparison, double tolerance);

}  // namespace gpusim::array
