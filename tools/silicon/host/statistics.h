// SPDX-License-Identifier: MIT
// What repeated runs of one thing say: the median and how far the runs lie apart.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace gpusim::silicon {

/// Order statistics of a sample. Times have a long tail to one side, so the middle is the median and the spread the
/// distance between the quartiles, not mean and deviation.
struct Summary {
  double median = 0;
  double lower_quartile = 0;
  double upper_quartile = 0;
  double min = 0;
  double max = 0;
  double deviation = 0;  ///< median absolute deviation from the median
  std::size_t n = 0;

  [[nodiscard]] double spread() const { return upper_quartile - lower_quartile; }
};

/// The value below which the fraction `q` (0 to 1) of the sorted values lies, linear between neighbours.
[[nodiscard]] double quantile(std::span<const double> sorted, double q);

/// Throws std::invalid_argument when there are no values, or one is not finite: no figure may come of that.
[[nodiscard]] Summary summarize(std::vector<double> values);

}  // namespace gpusim::silicon
