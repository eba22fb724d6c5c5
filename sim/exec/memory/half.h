// SPDX-License-Identifier: MIT
// The two formats of 16 bits, to and from FP32, one number at a time.
#pragma once

#include <bit>
#include <cstdint>

namespace gpusim::exec {

/// IEEE binary16.
struct Fp16 {
  static constexpr std::uint16_t kNan = 0x7fff;
  static constexpr std::uint16_t kExponent = 0x7c00;
  static constexpr std::uint16_t kOne = 0x3c00;
  [[nodiscard]] static constexpr float widen(std::uint16_t half) {
    const std::uint32_t sign = (half & 0x8000U) << 16U;
    const std::uint32_t rest = half & 0x7fffU;
    if (rest >= 0x7c00U) {  // infinity, NaN
      return std::bit_cast<float>(sign | 0x7f800000U | (rest & 0x3ffU) << 13U);
    }
    if (rest < 0x400U) {  // zero, subnormal: its value counts units of 2^-24
      const float magnitude = static_cast<float>(rest) * 0x1p-24F;
      return std::bit_cast<float>(sign | std::bit_cast<std::uint32_t>(magnitude));
    }
    return std::bit_cast<float>(sign | ((rest << 13U) + 0x38000000U));
  }
  /// To nearest, ties to even.
  [[nodiscard]] static constexpr std::uint16_t narrow(float value) {
    const auto bits = std::bit_cast<std::uint32_t>(value);
    const std::uint32_t sign = bits >> 16U & 0x8000U;
    const std::uint32_t rest = bits & 0x7fffffffU;
    if (rest > 0x7f800000U) {
      return kNan;
    }
    if (rest >= 0x477ff000U) {  // rounds to infinity
      return static_cast<std::uint16_t>(sign | 0x7c00U);
    }
    if (rest < 0x38800000U) {  // below 2^-14: adding 0.5 leaves units of 2^-24 in the lowest bits, rounded
      const float shifted = std::bit_cast<float>(rest) + 0.5F;
      return static_cast<std::uint16_t>(sign | (std::bit_cast<std::uint32_t>(shifted) - 0x3f000000U));
    }
    const std::uint32_t rounded = rest + 0xfffU + (rest >> 13U & 1U);
    return static_cast<std::uint16_t>(sign | ((rounded - 0x38000000U) >> 13U));
  }
};

/// The upper half of FP32.
struct Bf16 {
  static constexpr std::uint16_t kNan = 0x7fff;
  static constexpr std::uint16_t kExponent = 0x7f80;
  static constexpr std::uint16_t kOne = 0x3f80;
  [[nodiscard]] static constexpr float widen(std::uint16_t half) {
    return std::bit_cast<float>(std::uint32_t{half} << 16U);
  }
  /// To nearest, ties to even.
  [[nodiscard]] static constexpr std::uint16_t narrow(float value) {
    const auto bits = std::bit_cast<std::uint32_t>(value);
    if ((bits & 0x7fffffffU) > 0x7f800000U) {
      return kNan;
    }
    return static_cast<std::uint16_t>((bits + 0x7fffU + (bits >> 16U & 1U)) >> 16U);
  }
};

}  // namespace gpusim::exec
