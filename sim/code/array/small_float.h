// SPDX-License-Identifier: MIT
// Binary floating point of 8 and 16 bits, which the host's compiler has no types for.
#pragma once

#include <cstdint>

namespace gpusim::array {

/// A sign, an exponent and a mantissa, as in IEEE 754.
struct SmallFloat {
  int exponent_bits;
  int mantissa_bits;
  /// False in f8e4m3, where the largest exponent has numbers too, and all bits set is NaN (OCP 8-bit floating point
  /// specification, 1.0).
  bool has_infinity;
};

/// The nearest number, ties to even; NaN and what is too large as the format has them.
[[nodiscard]] std::uint32_t to_bits(const SmallFloat& format, double value);
[[nodiscard]] double from_bits(const SmallFloat& format, std::uint32_t bits);

}  // namespace gpusim::array
