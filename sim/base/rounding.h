// SPDX-License-Identifier: MIT
// Whole numbers rounded up.
#pragma once

#include <concepts>
#include <type_traits>

namespace gpusim {

/// How many parts of size `by` hold `value`. Their sum may not overflow; `by` is not 0.
template <std::unsigned_integral Number>
[[nodiscard]] constexpr Number ceil_divide(Number value, std::type_identity_t<Number> by) {
  return (value + by - 1) / by;
}

/// The next multiple of `unit` that is no less than `value`; as ceil_divide().
template <std::unsigned_integral Number>
[[nodiscard]] constexpr Number round_up(Number value, std::type_identity_t<Number> unit) {
  return ceil_divide(value, unit) * unit;
}

}  // namespace gpusim
