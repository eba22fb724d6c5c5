// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
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

/// A place in a table of 2^`bits`, 1 to 64 of them, in one multiplication: numbers in a row lie apart.
[[nodiscard]] constexpr std::size_t spread_to(std::uint64_t number, unsigned bits) {
  constexpr std::uint64_t kGolden = 0x9e3779b97f4a7c15ULL;  // 2^64 over the golden ratio
  return static_cast<std::size_t>(number * kGolden >> (64 - bits));
}

/// A value in [0, count) that depends on all bits of `hash`; exact for any count, no power of two needed.
[[nodiscard]] constexpr std::uint32_t scale_to(std::uint64_t hash, std::uint32_t count) {
  return static_cast<std::uint32_t>(((hash >> 32) * count) >> 32);
}

}  // namespace gpusim
