// SPDX-License-Identifier: MIT
// One axis with its range settled: where a value lies on it, and which numbers are written along it.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sim/output/plot/text_plot.h"

namespace gpusim::plot {

struct Tick {
  double at = 0;  ///< 0 at the low end, 1 at the high end
  std::string text;
};

class Ruler {
 public:
  /// Covers what the axis asks for, else `values`; `most_ticks` (at least 2) is how many numbers have room.
  Ruler(const Axis& axis, std::span<const double> values, std::size_t most_ticks);

  /// 0 at the low end, 1 at the high end, beyond them outside; empty for a value that has no place on the axis.
  [[nodiscard]] std::optional<double> position(double value) const;
  /// From low to high.
  [[nodiscard]] const std::vector<Tick>& ticks() const { return ticks_; }

 private:
  [[nodiscard]] std::optional<double> stretched(double value) const;
  void settle_range(std::span<const double> values);
  void make_linear_ticks(std::size_t most);
  void make_log_ticks(std::size_t most);

  Axis axis_;
  double low_ = 0;  ///< lower end of the axis, stretched: logarithms on a logarithmic axis
  double high_ = 1;
  std::vector<Tick> ticks_;
};

/// "2.5T": `value`, a multiple of `step`, with just the digits that tell neighbours apart. On a linear axis all numbers
/// share the prefix that fits `largest`.
[[nodiscard]] std::string tick_text(double value, double step, double largest, Ticks ticks);

}  // namespace gpusim::plot
