// SPDX-License-Identifier: MIT
// Conditions under which a comparison fails: "time_us > 1.02x".
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gpusim::compare {

struct Comparison;

enum class Relation { kLess, kAtMost, kMore, kAtLeast };

struct Condition {
  std::string text;    ///< as it was given
  std::string metric;  ///< a key of metrics()
  Relation relation = Relation::kMore;
  double number = 0;
  bool is_factor = false;  ///< times the first result's value
};

/// A condition, as it was met by one run.
struct Outcome {
  Condition condition;
  std::size_t run = 0;
  double value = 0;
  double limit = 0;
  bool failed = false;
};

/// METRIC < | <= | > | >= NUMBER, or NUMBERx for a factor of the first result's value. Throws UsageError that names the
/// column of the mistake, and of a metric that does not exist the nearest that does.
[[nodiscard]] Condition parse_condition(std::string_view text);

/// Every condition on every run but the first. Throws InputError when a result has no such value, when a run stopped
/// before its end, and for a factor when the two runs simulated different numbers of CTAs; UsageError when a factor
/// makes a limit that no number can hold.
[[nodiscard]] std::vector<Outcome> check(const std::vector<Condition>& conditions, const Comparison& comparison);

}  // namespace gpusim::compare
