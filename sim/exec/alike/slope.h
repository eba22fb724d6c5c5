// SPDX-License-Identifier: MIT
// How a number changes from CTA to CTA where it is affine in their places in the grid.
#pragma once

#include <cstdint>

#include "sim/model/trace/step.h"

namespace gpusim::exec {

/// From one CTA to another, in CTAs.
struct GridDistance {
  std::int64_t x = 0;
  std::int64_t y = 0;
  std::int64_t z = 0;
};

[[nodiscard]] constexpr GridDistance distance(trace::CtaId from, trace::CtaId to) {
  return {std::int64_t{to.x} - from.x, std::int64_t{to.y} - from.y, std::int64_t{to.z} - from.z};
}

/// What a number grows by, a CTA, in each dimension.
struct Slope {
  std::int64_t x = 0;
  std::int64_t y = 0;
  std::int64_t z = 0;

  /// What it grows by. |x|, |y| and |z| of a slope that is used are at most kMost, and those of a distance below 2^31.
  [[nodiscard]] constexpr std::int64_t over(const GridDistance& distance) const {
    return x * distance.x + y * distance.y + z * distance.z;
  }
  static constexpr std::int64_t kMost = std::int64_t{1} << 29U;
  [[nodiscard]] constexpr bool is_zero() const { return x == 0 && y == 0 && z == 0; }
  [[nodiscard]] constexpr bool is_usable() const { return is_small(x) && is_small(y) && is_small(z); }

  [[nodiscard]] constexpr bool is_multiple_of(std::int64_t unit) const {
    return x % unit == 0 && y % unit == 0 && z % unit == 0;
  }

  friend constexpr bool operator==(const Slope&, const Slope&) = default;
  friend constexpr Slope operator+(const Slope& a, const Slope& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
  friend constexpr Slope operator-(const Slope& a, const Slope& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
  /// |factor| is at most 2^32.
  friend constexpr Slope operator*(const Slope& a, std::int64_t factor) {
    return {a.x * factor, a.y * factor, a.z * factor};
  }

 private:
  static constexpr bool is_small(std::int64_t part) { return part <= kMost && part >= -kMost; }
};

}  // namespace gpusim::exec
