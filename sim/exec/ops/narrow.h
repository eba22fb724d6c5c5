// SPDX-License-Identifier: MIT
// FP64 numbers as numbers of narrower formats, rounded once.
#pragma once

#include <cstdint>

#include "sim/code/sass/modifiers.h"

namespace gpusim::exec {

/// How a format of at most 16 bits is made.
struct SmallFormat {
  int fraction_bits = 10;
  int least_exponent = -14;  ///< least exponent of normal numbers
  double largest = 65504;
  std::uint32_t exponent_bias = 15;
  std::uint32_t infinity = 0x7c00;  ///< where there is none: the largest number
  std::uint32_t nan = 0x7fff;
};

inline constexpr SmallFormat kFp16{};
inline constexpr SmallFormat kBf16{7, -126, 0x1.fep127, 127, 0x7f80, 0x7fff};
inline constexpr SmallFormat kE4m3{3, -6, 448, 7, 0x7f, 0x7f};
inline constexpr SmallFormat kE5m2{2, -14, 57344, 15, 0x7c, 0x7f};

/// The nearest integral number, or the next one in a direction.
[[nodiscard]] double integral(double value, sass::Rounding rounding);

/// The bits. With `finite` what is too large becomes the largest number.
[[nodiscard]] std::uint32_t small_float(const SmallFormat& format, double value, sass::Rounding rounding, bool finite);

/// The number that bits of the format stand for.
[[nodiscard]] double small_value(const SmallFormat& format, std::uint32_t bits, unsigned width);

/// The bits of a number of the type; `flushes`: subnormal FP32 results become zero.
[[nodiscard]] std::uint64_t narrowed(sass::FloatType type, double value, sass::Rounding rounding, bool flushes);

}  // namespace gpusim::exec
