// SPDX-License-Identifier: MIT
#include "tools/silicon/host/compare.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>

namespace gpusim::silicon {
namespace {

// By how much an element exceeds what it may differ; NaN exceeds everything.
double excess(double got, double expected, Tolerance tolerance) {
  const double difference = std::abs(got - expected);
  const double allowed = tolerance.absolute + tolerance.relative * std::abs(expected);
  return std::isnan(difference) ? std::numeric_limits<double>::infinity() : difference - allowed;
}

}  // namespace

Comparison compare(std::span<const double> got, std::span<const double> expected, Tolerance tolerance) {
  Comparison result;
  double error = 0;
  double norm = 0;
  double worst_excess = -std::numeric_limits<double>::infinity();
  const std::size_t both = std::min(got.size(), expected.size());
  for (std::size_t i = 0; i < both; ++i) {
    const double difference = std::abs(got[i] - expected[i]);
    const double beyond = excess(got[i], expected[i], tolerance);
    result.wrong += beyond > 0 ? 1 : 0;
    if (beyond > worst_excess) {
      worst_excess = beyond;
      result.worst = i;
    }
    result.max_difference = std::isnan(difference) ? difference : std::max(difference, result.max_difference);
    error += difference * difference;
    norm += expected[i] * expected[i];
  }
  if (both > 0) {
    result.got = got[result.worst];
    result.expected = expected[result.worst];
  }
  result.norm_error = norm > 0 ? std::sqrt(error / norm) : std::sqrt(error);
  result.wrong += std::max(got.size(), expected.size()) - both;
  result.ok = result.wrong == 0;
  return result;
}

std::string describe(const Comparison& comparison) {
  std::ostringstream text;
  text << comparison.wrong << " elements off; element " << comparison.worst << " is " << comparison.got << ", not "
       << comparison.expected << "; largest difference " << comparison.max_difference << ", relative norm of all "
       << comparison.norm_error;
  return text.str();
}

}  // namespace gpusim::silicon
