// SPDX-License-Identifier: MIT
// Inputs that look random and are the same everywhere, and the small formats of floating point, by way of FP64.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <vector>

namespace gpusim::exec {

/// xorshift32
class Numbers {
 public:
  explicit Numbers(std::uint32_t seed) : state_(seed * 2654435761U + 1) {}
  std::uint32_t word() {
    state_ ^= state_ << 13U;
    state_ ^= state_ >> 17U;
    state_ ^= state_ << 5U;
    return state_;
  }
  /// From `low` to `high`, both among them.
  int integer(int low, int high) {
    return low + static_cast<int>(word() % (static_cast<std::uint32_t>(high - low) + 1));
  }
  /// 24 random bits between the two.
  double real(double low, double high) { return low + (high - low) * (word() >> 8U) * 0x1p-24; }

  std::vector<std::uint32_t> words(std::size_t count) {
    std::vector<std::uint32_t> values(count);
    for (auto& value : values) {
      value = word();
    }
    return values;
  }
  std::vector<int> integers(std::size_t count, int low, int high) {
    std::vector<int> values(count);
    for (auto& value : values) {
      value = integer(low, high);
    }
    return values;
  }
  std::vector<float> reals(std::size_t count, double low = -1, double high = 1) {
    std::vector<float> values(count);
    for (auto& value : values) {
      value = static_cast<float>(real(low, high));
    }
    return values;
  }

 private:
  std::uint32_t state_;
};

/// To nearest, ties to even, of a binary format with so many bits behind the point and this smallest normal exponent.
inline double rounded_to(double value, int fraction_bits, int least_exponent) {
  if (value == 0 || !std::isfinite(value)) {
    return value;
  }
  const double unit = std::ldexp(1.0, std::max(std::ilogb(value), least_exponent) - fraction_bits);
  return std::nearbyint(value / unit) * unit;
}

inline double half_value(std::uint16_t bits) {
  const int exponent = bits >> 10U & 31U;
  const double fraction = bits & 1023U;
  const double size = exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(1024 + fraction, exponent - 25);
  return (bits & 0x8000U) != 0 ? -size : size;
}
/// Finite numbers only; too large ones become infinite.
inline std::uint16_t half_bits(double value) {
  const double size = std::abs(rounded_to(value, 10, -14));
  const unsigned sign = std::signbit(value) ? 0x8000U : 0;
  if (size >= 65536) {
    return static_cast<std::uint16_t>(sign | 0x7c00U);
  }
  if (size < 0x1p-14) {
    return static_cast<std::uint16_t>(sign | static_cast<unsigned>(std::ldexp(size, 24)));
  }
  const int exponent = std::ilogb(size);
  const auto fraction = static_cast<unsigned>(std::ldexp(size, 10 - exponent)) - 1024U;
  return static_cast<std::uint16_t>(sign | static_cast<unsigned>(exponent + 15) << 10U | fraction);
}

inline double bfloat_value(std::uint16_t bits) {
  return std::bit_cast<float>(std::uint32_t{bits} << 16U);
}
inline std::uint16_t bfloat_bits(double value) {
  return static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(static_cast<float>(rounded_to(value, 7, -126))) >>
                                    16U);
}

inline std::vector<std::uint16_t> halves_of(const std::vector<float>& values) {
  std::vector<std::uint16_t> halves;
  for (const float value : values) {
    halves.push_back(half_bits(value));
  }
  return halves;
}
inline std::vector<std::uint16_t> bfloats_of(const std::vector<float>& values) {
  std::vector<std::uint16_t> halves;
  for (const float value : values) {
    halves.push_back(bfloat_bits(value));
  }
  return halves;
}

}  // namespace gpusim::exec
