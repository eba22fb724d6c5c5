// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace gpusim {

/// A bijective mix of 64 bits (the finaliser of splitmix64): every input bit moves every output bit.
[[nodiscard]] constexpr std::uint64_t mix64(std::uint64_t x) {
  x ^= x >> 30;
  x *= 0xbf58476d1ce4e5b9ULL;
  x ^= x >> 27;
  x *= 0x94d049bb133111ebULL;
  x ^= x >> 31;
  return x;
}

/// A value in [0, count) that depends on all bits of `hash`; exact for any count, no power of two needed.
[[nodiscard]] constexpr std::uint32_t scale_to(std::uint64_t hash, std::uint32_t count) {
  return static_cast<std::uint32_t>(((hash >> 32) * count) >> 32);
}

}  // namespace gpusim
