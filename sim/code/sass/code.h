// SPDX-License-Identifier: MIT
// The 128 bits of an instruction as they stand in a cubin, and ranges of them.
#pragma once

#include <cstdint>

namespace gpusim::sass {

/// Bytes of an instruction, Volta and later.
inline constexpr unsigned kInstructionBytes = 16;

/// Bit 0 is the lowest bit of the first byte.
struct Code {
  std::uint64_t low = 0;
  std::uint64_t high = 0;
  friend constexpr bool operator==(const Code&, const Code&) = default;
};

/// `width` bits from bit `at`; none where the width is 0. At most 64, which may lie across the middle.
struct BitRange {
  std::uint8_t at = 0;
  std::uint8_t width = 0;
};

[[nodiscard]] constexpr std::uint64_t low_bits(unsigned width) {
  return width >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1;
}

[[nodiscard]] constexpr std::uint64_t get_bits(const Code& code, BitRange range) {
  std::uint64_t value = 0;
  if (range.at >= 64) {
    value = code.high >> (range.at - 64U);
  } else {
    value = code.low >> range.at;
    value |= range.at == 0 ? 0 : code.high << (64U - range.at);
  }
  return value & low_bits(range.width);
}

[[nodiscard]] constexpr bool get_bit(const Code& code, unsigned at) {
  return get_bits(code, {static_cast<std::uint8_t>(at), 1}) != 0;
}

/// Replaces the range; what does not fit into it is dropped.
constexpr void set_bits(Code& code, BitRange range, std::uint64_t value) {
  const std::uint64_t mask = low_bits(range.width);
  value &= mask;
  if (range.at >= 64) {
    const unsigned at = range.at - 64U;
    code.high = (code.high & ~(mask << at)) | value << at;
    return;
  }
  code.low = (code.low & ~(mask << range.at)) | value << range.at;
  if (range.at + range.width > 64U) {
    const unsigned under = 64U - range.at;
    code.high = (code.high & ~(mask >> under)) | value >> under;
  }
}

/// The number that `width` bits in two's complement stand for.
[[nodiscard]] constexpr std::int64_t sign_extended(std::uint64_t value, unsigned width) {
  const unsigned unused = 64U - width;
  return static_cast<std::int64_t>(value << unused) >> unused;
}

}  // namespace gpusim::sass
