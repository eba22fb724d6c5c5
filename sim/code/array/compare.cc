// SPDX-License-Identifier: MIT
#include "sim/code/array/compare.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>

#include "sim/base/text.h"

namespace gpusim::array {
namespace {

/// How far two numbers are apart, for what tolerances are compared with.
double distance(double is, double should) {
  const double error = std::fabs(is - should) / std::max(1.0, std::fabs(should));
  return std::isnan(error) ? std::numeric_limits<double>::infinity() : error;
}

double error_at(const View& actual, const View& expected, std::uint64_t index) {
  const ElementInfo& type = info(actual.element);
  const double is = decode(actual.element, actual.at(index));
  const double should = decode(expected.element, expected.at(index));
  if (actual.element == expected.element && type.kind != ElementKind::kFloat) {
    // Integers of 64 bits that differ may be the same double.
    const bool same = bits_at(actual.at(index), type.bytes) == bits_at(expected.at(index), type.bytes);
    return same ? 0 : std::max(distance(is, should), std::numeric_limits<double>::min());
  }
  return is == should || (std::isnan(is) && std::isnan(should)) ? 0 : distance(is, should);
}

std::string short_number(double value) {
  std::array<char, 32> digits{};
  const auto written = std::to_chars(digits.begin(), digits.end(), value, std::chars_format::general, 3);
  return {digits.data(), written.ptr};
}

}  // namespace

Comparison compare(const View& actual, const View& expected, double tolerance) {
  Comparison out;
  out.count = actual.count;
  for (std::uint64_t i = 0; i < actual.count; ++i) {
    const double error = error_at(actual, expected, i);
    if (error > out.worst) {
      out.worst = error;
      out.worst_at = i;
    }
    if (error > tolerance) {
      if (out.mismatches++ == 0) {
        out.first = i;
        out.first_actual = text_of(actual.element, actual.at(i));
        out.first_expected = text_of(expected.element, expected.at(i));
      }
    }
  }
  return out;
}

std::string to_text(const Comparison& comparison, double tolerance) {
  const std::string worst =
      "the worst error is " + short_number(comparison.worst) + " at [" + std::to_string(comparison.worst_at) + "]";
  if (comparison.mismatches == 0) {
    return counted(comparison.count, "element") + " as expected" +
           (comparison.worst == 0 ? ", all exactly" : "; " + worst + " (allowed: " + short_number(tolerance) + ")");
  }
  return with_thousands(comparison.mismatches) + " of " + counted(comparison.count, "element") +
         " differ: the first at [" + std::to_string(comparison.first) + "] is " + comparison.first_actual +
         " instead of " + comparison.first_expected + ", " + worst + " (allowed: " + short_number(tolerance) + ")";
}

}  // namespace gpusim::array
