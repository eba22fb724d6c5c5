// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <tuple>

#include "sim/commands/validate/report.h"

namespace gpusim::validate {

Summary summarize(std::span<const Outcome> outcomes) {
  Summary summary;
  std::vector<double> errors;
  for (const Outcome& outcome : outcomes) {
    if (outcome.is_counted()) {
      errors.push_back(std::abs(outcome.error_pct));
      summary.outside += outcome.is_within() ? 0 : 1;
    }
  }
  summary.cases = errors.size();
  if (errors.empty()) {
    return summary;
  }
  std::ranges::sort(errors);
  double sum = 0;
  for (const double error : errors) {
    sum += error;
  }
  summary.mean_abs_error_pct = sum / static_cast<double>(errors.size());
  const std::size_t rank = (9 * errors.size() + 9) / 10;  // 0.9 n, rounded up
  summary.p90_abs_error_pct = errors[rank - 1];
  summary.max_abs_error_pct = errors.back();
  return summary;
}

void sort_worst_first(std::vector<Outcome>& outcomes) {
  const auto rank = [](const Outcome& outcome) {
    return std::tuple(!outcome.simulated.has_value(), !outcome.is_counted(), outcome.is_within(),
                      -std::abs(outcome.error_pct));
  };
  std::ranges::stable_sort(outcomes, {}, rank);
}

}  // namespace gpusim::validate
