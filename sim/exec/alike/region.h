// SPDX-License-Identifier: MIT
// The CTAs around a first one that do what it does.
#pragma once

#include <vector>

#include "sim/exec/alike/slope.h"

namespace gpusim::exec {

/// A convex set of distances from the first CTA: each bound holds what one slope gives between two numbers.
class Region {
 public:
  /// From here on low <= slope.over(d) <= high for each distance d in it. The first CTA, d = 0, stays in it: low <= 0
  /// and high >= 0.
  void require(const Slope& slope, std::int64_t low, std::int64_t high);
  /// Nothing may change with this slope.
  void fix(const Slope& slope) { require(slope, 0, 0); }
  [[nodiscard]] bool contains(const GridDistance& distance) const;
  /// Whether there were too many slopes: then it has the first CTA alone.
  [[nodiscard]] bool is_closed() const { return is_closed_; }

 private:
  static constexpr std::size_t kMostBounds = 256;
  struct Bound {
    Slope slope;
    std::int64_t low;
    std::int64_t high;
  };
  std::vector<Bound> bounds_;
  bool is_closed_ = false;
  std::size_t last_ = 0;  ///< place of the slope that was asked for last
};

}  // namespace gpusim::exec
