// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <string>
#include <tuple>

#include "sim/commands/validate/report.h"

namespace gpusim::validate {
namespace {

/// Sums for Pearson's coefficient.
struct Moments {
  double n = 0;
  double x = 0;
  double y = 0;
  double xx = 0;
  double yy = 0;
  double xy = 0;
};

double log_correlation(std::span<const Outcome> outcomes) {
  Moments sum;
  for (const Outcome& outcome : outcomes) {
    if (outcome.is_counted() && *outcome.simulated > 0 && outcome.measured > 0) {
      const double x = std::log(outcome.measured);
      const double y = std::log(*outcome.simulated);
      sum = {sum.n + 1, sum.x + x, sum.y + y, sum.xx + x * x, sum.yy + y * y, sum.xy + x * y};
    }
  }
  const double spread = (sum.n * sum.xx - sum.x * sum.x) * (sum.n * sum.yy - sum.y * sum.y);
  return spread > 0 ? (sum.n * sum.xy - sum.x * sum.y) / std::sqrt(spread) : 0;
}

std::vector<Group> groups(std::span<const Outcome> outcomes, const std::string& (*name)(const Outcome&),
                          bool (*belongs)(const Outcome&)) {
  std::map<std::string, std::vector<Outcome>> members;
  for (const Outcome& outcome : outcomes) {
    if (belongs(outcome) && outcome.is_counted()) {
      members[name(outcome)].push_back(outcome);
    }
  }
  std::vector<Group> out;
  for (const auto& [group, of_group] : members) {
    out.push_back({group, summarize(of_group)});
  }
  std::ranges::stable_sort(out, std::greater{}, [](const Group& g) { return g.summary.mean_abs_error_pct; });
  return out;
}

bool is_of_kernel(const Outcome& outcome) {
  return outcome.of.is_kernel();
}

}  // namespace

Summary summarize(std::span<const Outcome> outcomes) {
  Summary summary;
  std::vector<double> errors;
  double signed_sum = 0;
  for (const Outcome& outcome : outcomes) {
    if (outcome.is_counted()) {
      errors.push_back(std::abs(outcome.error_pct));
      signed_sum += outcome.error_pct;
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
  summary.mean_error_pct = signed_sum / static_cast<double>(errors.size());
  summary.median_abs_error_pct = (errors[(errors.size() - 1) / 2] + errors[errors.size() / 2]) / 2;
  summary.log_correlation = log_correlation(outcomes);
  const std::size_t rank = (9 * errors.size() + 9) / 10;  // 0.9 n, rounded up
  summary.p90_abs_error_pct = errors[rank - 1];
  summary.max_abs_error_pct = errors.back();
  return summary;
}

Words words_of(std::span<const Outcome> outcomes) {
  Words words;
  for (const Outcome& outcome : outcomes) {
    const bool may_count = outcome.of.is_word() && outcome.of.counted && outcome.simulated.has_value();
    words.cases += may_count ? 1 : 0;
    words.equal += may_count && outcome.is_equal_word() ? 1 : 0;
  }
  return words;
}

std::vector<Group> by_kind(std::span<const Outcome> outcomes) {
  return groups(
      outcomes, [](const Outcome& outcome) -> const std::string& { return outcome.of.kind; }, is_of_kernel);
}

std::vector<Group> by_part(std::span<const Outcome> outcomes) {
  return groups(
      outcomes, [](const Outcome& outcome) -> const std::string& { return outcome.arch; }, is_of_kernel);
}

std::vector<Group> by_mechanism(std::span<const Outcome> outcomes) {
  return groups(
      outcomes, [](const Outcome& outcome) -> const std::string& { return outcome.of.mechanism; },
      [](const Outcome& outcome) { return outcome.of.is_estimate(); });
}

bool has_kernels(std::span<const Outcome> outcomes) {
  return std::ranges::any_of(outcomes, [](const Outcome& outcome) { return outcome.of.is_kernel(); });
}

void sort_worst_first(std::vector<Outcome>& outcomes) {
  const auto rank = [](const Outcome& outcome) {
    return std::tuple(!outcome.simulated.has_value(), !outcome.is_counted(), outcome.is_within(),
                      -std::abs(outcome.error_pct));
  };
  std::ranges::stable_sort(outcomes, {}, rank);
}

}  // namespace gpusim::validate
