// SPDX-License-Identifier: MIT
// Masks of a line's sectors.
#pragma once

#include <cstdint>

#include "sim/base/types.h"
#include "sim/machine/mem/cache/line.h"

namespace gpusim::mem::l2 {

[[nodiscard]] inline std::uint8_t without(std::uint8_t sectors, std::uint8_t removed) {
  return static_cast<std::uint8_t>(sectors & ~removed);
}

/// All sectors of the aligned pieces of `bytes` (32, 64 or 128) in which any of `sectors` lies.
[[nodiscard]] inline std::uint8_t widened(std::uint8_t sectors, std::uint32_t bytes) {
  const std::uint32_t pair = bytes > kSectorBytes ? (sectors & 0b0101U) << 1U | (sectors & 0b1010U) >> 1U : 0;
  return bytes == kLineBytes && sectors != 0 ? cache::kAllSectors : static_cast<std::uint8_t>(sectors | pair);
}

}  // namespace gpusim::mem::l2
