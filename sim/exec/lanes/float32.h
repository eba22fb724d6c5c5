// SPDX-License-Identifier: MIT
// What FP32 numbers share with each other: flushing, saturation, NaN, comparison.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

#include "sim/exec/lanes/lanes.h"

namespace gpusim::exec::GPUSIM_LANES {

/// What every result that is not a number becomes (CUDA Programming Guide, "Floating-Point Standard").
inline constexpr std::uint32_t kNanBits = 0x7fffffffU;

inline bool is_nan(std::uint32_t bits) {
  return (bits & 0x7fffffffU) > 0x7f800000U;
}
inline std::uint32_t canonical(std::uint32_t bits) {
  return is_nan(bits) ? kNanBits : bits;
}
/// Subnormal numbers become zero and keep their sign.
inline std::uint32_t flushed(std::uint32_t bits) {
  return (bits & 0x7f800000U) == 0 ? bits & 0x80000000U : bits;
}
/// Into 0 to 1; NaN becomes 0.
inline std::uint32_t saturated(std::uint32_t bits) {
  const float value = std::bit_cast<float>(bits);
  const float low = value > 0.0F ? value : 0.0F;
  return std::bit_cast<std::uint32_t>(low < 1.0F ? low : 1.0F);
}
/// Integers in the order of the numbers, -0 below +0.
inline std::int32_t ordered(std::uint32_t bits) {
  const auto value = static_cast<std::int32_t>(bits);
  return value ^ static_cast<std::int32_t>(static_cast<std::uint32_t>(value >> 31) >> 1U);
}

/// Lanes for which left(lane) and right(lane) compare as sass::FloatCompare says.
template <class Left, class Right>
LaneMask compared_floats(std::uint8_t which, const Left& left, const Right& right) {
  using sass::FloatCompare;
  constexpr std::uint8_t kUnordered = 8;
  LaneMask unordered = 0;
  if (which >= static_cast<std::uint8_t>(FloatCompare::kNumbers)) {
    unordered = lanes_where([&](unsigned lane) { return std::isunordered(left(lane), right(lane)); });
  }
  switch (static_cast<FloatCompare>(which)) {
    case FloatCompare::kFalse: return 0;
    case FloatCompare::kTrue: return kAllLanes;
    case FloatCompare::kNumbers: return ~unordered;
    case FloatCompare::kNan: return unordered;
    default: break;
  }
  LaneMask result = 0;
  switch (static_cast<FloatCompare>(which % kUnordered)) {
    case FloatCompare::kLess: result = lanes_where([&](unsigned lane) { return left(lane) < right(lane); }); break;
    case FloatCompare::kEqual: result = lanes_where([&](unsigned lane) { return left(lane) == right(lane); }); break;
    case FloatCompare::kLessEqual:
      result = lanes_where([&](unsigned lane) { return left(lane) <= right(lane); });
      break;
    case FloatCompare::kGreater: result = lanes_where([&](unsigned lane) { return left(lane) > right(lane); }); break;
    case FloatCompare::kNotEqual:
      result = lanes_where([&](unsigned lane) { return left(lane) < right(lane) || left(lane) > right(lane); });
      break;
    default: result = lanes_where([&](unsigned lane) { return left(lane) >= right(lane); }); break;
  }
  return result | unordered;
}

}  // namespace gpusim::exec::GPUSIM_LANES
