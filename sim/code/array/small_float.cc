// SPDX-License-Identifier: MIT
#include "sim/code/array/small_float.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace gpusim::array {
namespace {

int bias_of(const SmallFloat& format) {
  return (1 << (format.exponent_bits - 1)) - 1;
}

/// All bits of the exponent, in their place.
std::uint32_t exponent_mask(const SmallFloat& format) {
  return ((1U << format.exponent_bits) - 1) << format.mantissa_bits;
}

std::uint32_t mantissa_mask(const SmallFloat& format) {
  return (1U << format.mantissa_bits) - 1;
}

/// What stands for NaN, and for what is beyond the largest number.
std::uint32_t nan_bits(const SmallFloat& format) {
  return exponent_mask(format) | (format.has_infinity ? 1U << (format.mantissa_bits - 1) : mantissa_mask(format));
}

std::uint32_t overflow_bits(const SmallFloat& format) {
  return format.has_infinity ? exponent_mask(format) : nan_bits(format);
}

}  // namespace

std::uint32_t to_bits(const SmallFloat& format, double value) {
  const std::uint32_t sign = std::signbit(value) ? 1U << (format.exponent_bits + format.mantissa_bits) : 0;
  if (std::isnan(value)) {
    return sign | nan_bits(format);
  }
  const double magnitude = std::fabs(value);
  if (std::isinf(value)) {
    return sign | overflow_bits(format);
  }
  int exponent = 0;
  static_cast<void>(std::frexp(magnitude, &exponent));
  // Numbers are whole multiples of two to the power of `unit`; below the least exponent units no longer shrink.
  const int unit = std::max(exponent - 1, 1 - bias_of(format)) - format.mantissa_bits;
  const double units = std::nearbyint(std::ldexp(magnitude, -unit));
  const double hidden = std::ldexp(1.0, format.mantissa_bits);
  if (units < hidden) {
    return sign | static_cast<std::uint32_t>(units);
  }
  // A mantissa that rounds up to the next power of two carries into the exponent.
  const int field = unit + format.mantissa_bits + bias_of(format);
  const std::uint64_t bits =
      (static_cast<std::uint64_t>(field) << format.mantissa_bits) + static_cast<std::uint64_t>(units - hidden);
  return sign | static_cast<std::uint32_t>(std::min<std::uint64_t>(bits, overflow_bits(format)));
}

double from_bits(const SmallFloat& format, std::uint32_t bits) {
  const std::uint32_t magnitude = bits & (exponent_mask(format) | mantissa_mask(format));
  const bool negative =
      magnitude != (bits & ((exponent_mask(format) << 1) | exponent_mask(format) | mantissa_mask(format)));
  const std::uint32_t mantissa = magnitude & mantissa_mask(format);
  const int field = static_cast<int>(magnitude >> format.mantissa_bits);
  double value = 0;
  if (magnitude == nan_bits(format) || (format.has_infinity && magnitude > exponent_mask(format))) {
    value = std::numeric_limits<double>::quiet_NaN();
  } else if (format.has_infinity && magnitude == exponent_mask(format)) {
    value = std::numeric_limits<double>::infinity();
  } else if (field == 0) {
    value = std::ldexp(mantissa, 1 - bias_of(format) - format.mantissa_bits);
  } else {
    value = std::ldexp((1U << format.mantissa_bits) + mantissa, field - bias_of(format) - format.mantissa_bits);
  }
  return negative ? -value : value;
}

}  // namespace gpusim::array
