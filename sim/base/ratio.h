// SPDX-License-Identifier: MIT
// Exact ratios: of clock frequencies, and of rates that are not whole (an H100 pseudo-channel moves 32 bytes in
// 2.68 SM cycles; rounding that to 3 would lose 11 %).
#pragma once

#include <cstdint>
#include <numeric>

namespace gpusim {

/// numerator / denominator in lowest terms; the denominator is at least 1.
struct Ratio {
  std::uint64_t numerator = 1;
  std::uint64_t denominator = 1;

  [[nodiscard]] static constexpr Ratio of(std::uint64_t n, std::uint64_t d) {
    const std::uint64_t g = std::gcd(n, d);
    return g == 0 ? Ratio{0, 1} : Ratio{n / g, d / g};
  }
  [[nodiscard]] constexpr double value() const {
    return static_cast<double>(numerator) / static_cast<double>(denominator);
  }
  friend constexpr bool operator==(const Ratio&, const Ratio&) = default;
};

}  // namespace gpusim
