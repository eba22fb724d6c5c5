// SPDX-License-Identifier: MIT
#include "tools/silicon/host/statistics.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace gpusim::silicon {

double quantile(std::span<const double> sorted, double q) {
  const double place = q * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (sorted[above] - sorted[below]) * (place - static_cast<double>(below));
}

Summary summarize(std::vector<double> values) {
  if (values.empty()) {
    throw std::invalid_argument("no values to summarize");
  }
  if (!std::all_of(values.begin(), values.end(), [](double value) { return std::isfinite(value); })) {
    throw std::invalid_argument("a measured value is not finite");
  }
  std::sort(values.begin(), values.end());
  Summary summary;
  summary.n = values.size();
  summary.min = values.front();
  summary.max = values.back();
  summary.median = quantile(values, 0.5);
  summary.lower_quartile = quantile(values, 0.25);
  summary.upper_quartile = quantile(values, 0.75);
  for (double& value : values) {
    value = std::abs(value - summary.median);
  }
  std::sort(values.begin(), values.end());
  summary.deviation = quantile(values, 0.5);
  return summary;
}

}  // namespace gpusim::silicon
