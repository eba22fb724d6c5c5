// SPDX-License-Identifier: MIT
#include "sim/exec/ops/narrow.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "sim/exec/ops/rounding.h"

namespace gpusim::exec {
namespace {

bool goes_to_infinity(double value, sass::Rounding rounding) {
  switch (rounding) {
    case sass::Rounding::kDown: return value < 0;
    case sass::Rounding::kUp: return value > 0;
    case sass::Rounding::kZero: return false;
    default: return true;
  }
}

}  // namespace

double integral(double value, sass::Rounding rounding) {
  switch (rounding) {
    case sass::Rounding::kDown: return std::floor(value);
    case sass::Rounding::kUp: return std::ceil(value);
    case sass::Rounding::kZero: return std::trunc(value);
    default: return std::nearbyint(value);
  }
}

std::uint32_t small_float(const SmallFormat& format, double value, sass::Rounding rounding, bool finite) {
  const std::uint32_t sign_bit = (format.nan + 1) & ~format.nan;
  const std::uint32_t sign = std::signbit(value) ? sign_bit : 0;
  if (std::isnan(value)) {
    return format.nan;
  }
  const int fraction = format.fraction_bits;
  const std::uint32_t one = std::uint32_t{1} << static_cast<unsigned>(fraction);
  const int exponent = value == 0 ? format.least_exponent : std::max(std::ilogb(value), format.least_exponent);
  // In units of the last bit.
  const bool is_infinite = std::isinf(value);
  const double units = is_infinite ? 0 : std::fabs(integral(std::ldexp(value, fraction - exponent), rounding));
  const double magnitude = is_infinite ? HUGE_VAL : std::ldexp(units, exponent - fraction);
  if (magnitude > format.largest) {
    const bool infinite = !finite && (is_infinite || goes_to_infinity(value, rounding));
    const std::uint32_t largest = small_float(format, format.largest, sass::Rounding::kNearest, false);
    return sign | (infinite ? format.infinity : largest);
  }
  const auto count = static_cast<std::uint32_t>(units);  // with the hidden bit, unless it is subnormal
  const std::uint32_t biased = static_cast<std::uint32_t>(exponent) + format.exponent_bias;
  return sign | (count < one ? count : (biased << static_cast<unsigned>(fraction)) + (count - one));
}

double small_value(const SmallFormat& format, std::uint32_t bits, unsigned width) {
  const std::uint32_t sign_bit = std::uint32_t{1} << (width - 1);
  const std::uint32_t rest = bits & (sign_bit - 1);
  const auto fraction = static_cast<unsigned>(format.fraction_bits);
  const std::uint32_t part = rest & ((std::uint32_t{1} << fraction) - 1);
  const auto exponent = static_cast<int>(rest >> fraction);
  double magnitude = 0;
  if (rest == format.infinity && format.infinity != format.nan) {
    magnitude = HUGE_VAL;
  } else if (format.infinity != format.nan ? rest > format.infinity : rest == format.nan) {
    magnitude = NAN;
  } else if (exponent == 0) {
    magnitude = std::ldexp(part, format.least_exponent - format.fraction_bits);
  } else {
    magnitude = std::ldexp(part + (std::uint32_t{1} << fraction),
                           exponent - static_cast<int>(format.exponent_bias) - format.fraction_bits);
  }
  return (bits & sign_bit) != 0 ? -magnitude : magnitude;
}

std::uint64_t narrowed(sass::FloatType type, double value, sass::Rounding rounding, bool flushes) {
  constexpr std::uint32_t kNan = 0x7fffffffU;
  switch (type) {
    case sass::FloatType::kF16: return small_float(kFp16, value, rounding, false);
    case sass::FloatType::kBf16: return small_float(kBf16, value, rounding, false);
    case sass::FloatType::kF64: return std::bit_cast<std::uint64_t>(value);
    default: break;
  }
  if (std::isnan(value)) {
    return kNan;
  }
  const RoundingScope scope(rounding);
  auto result = opaque(static_cast<float>(opaque(value)));
  if (flushes && std::fpclassify(result) == FP_SUBNORMAL) {
    result = std::copysign(0.0F, result);
  }
  return std::bit_cast<std::uint32_t>(result);
}

}  // namespace gpusim::exec
