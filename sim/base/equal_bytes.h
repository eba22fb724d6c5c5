// SPDX-License-Identifier: MIT
// Which of sixteen bytes side by side are equal to one: how a search in a set of tags begins.
#pragma once

#include <cstdint>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace gpusim {

inline constexpr std::uint32_t kBytesAtOnce = 16;

/// A bit for each of the kBytesAtOnce bytes from `bytes` on that is `value`; bit 0 is the first.
[[nodiscard]] inline std::uint32_t equal_bytes_portably(const unsigned char* bytes, std::uint8_t value) {
  std::uint32_t equal = 0;
  for (std::uint32_t i = 0; i < kBytesAtOnce; ++i) {
    equal |= (bytes[i] == value ? 1U : 0U) << i;
  }
  return equal;
}

/// The same, with one comparison where the host has it.
[[nodiscard]] inline std::uint32_t equal_bytes(const unsigned char* bytes, std::uint8_t value) {
#if defined(__SSE2__)
  const __m128i all = _mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes));
  return static_cast<std::uint32_t>(_mm_movemask_epi8(_mm_cmpeq_epi8(all, _mm_set1_epi8(static_cast<char>(value)))));
#else
  return equal_bytes_portably(bytes, value);
#endif
}

}  // namespace gpusim
