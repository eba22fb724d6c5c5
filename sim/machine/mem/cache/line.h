// SPDX-License-Identifier: MIT
// Lines of a sectored cache: their numbers, masks of their sectors, and what one holds.
#pragma once

#include <cstdint>

#include "sim/base/types.h"

namespace gpusim::mem::cache {

/// Number of a 128-byte line: address / kLineBytes (or any dense number the owner prefers), below 2^48 - 1.
using LineNumber = std::uint64_t;
/// One bit per sector of a line; bit 0 is the sector of the lowest address.
using SectorMask = std::uint8_t;
/// Bits of a line that are its owner's.
using UserBits = std::uint8_t;

inline constexpr SectorMask kAllSectors = (1U << kSectorsPerLine) - 1;
inline constexpr UserBits kAllUserBits = 0xff;
/// No line has this number (128-byte lines of a 64-bit address space end at 2^57).
inline constexpr LineNumber kNoLine = ~LineNumber{0};

/// What a line holds. `dirty` is a subset of `valid`. `user` belongs to the owner (an L2 slice marks
/// copies of far lines, and sectors that were written in part): kept, returned on eviction, never interpreted.
struct LineState {
  LineNumber line = kNoLine;
  SectorMask valid = 0;
  SectorMask dirty = 0;
  UserBits user = 0;
  [[nodiscard]] bool present() const { return valid != 0; }
};

}  // namespace gpusim::mem::cache
