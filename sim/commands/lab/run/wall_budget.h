// SPDX-License-Identifier: MIT
// How long somebody waits for all processes that a check starts, whatever they do: compile, simulate or compare.
#pragma once

#include <algorithm>

namespace gpusim::lab {

/// Seconds of wall-clock time.
class WallBudget {
 public:
  explicit WallBudget(double seconds) : all_(seconds) {}

  [[nodiscard]] double all() const { return all_; }
  /// Never less than what a process needs to say that it came too late.
  [[nodiscard]] double left() const { return std::max(kLeast, all_ - used_); }
  [[nodiscard]] bool is_spent() const { return all_ - used_ < kLeast; }
  void use(double seconds) { used_ += seconds; }

 private:
  static constexpr double kLeast = 0.05;

  double all_;
  double used_ = 0;
};

}  // namespace gpusim::lab
