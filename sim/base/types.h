// SPDX-License-Identifier: MIT
// The few words every module shares.
#pragma once

#include <cstdint>
#include <limits>

namespace gpusim {

/// A count of whole cycles of its holder's clock.
using Cycle = std::uint64_t;
/// One bit per lane of a warp; bit 0 is lane 0.
using LaneMask = std::uint32_t;
/// A byte address in the GPU's global (or a CTA's shared) address space.
using Address = std::uint64_t;

inline constexpr Cycle kNever = std::numeric_limits<Cycle>::max();
inline constexpr unsigned kWarpLanes = 32;
inline constexpr LaneMask kAllLanes = 0xffffffffU;
/// The unit of transfer between caches, and the unit of a cache's tag; both in bytes, on every modelled GPU.
inline constexpr unsigned kSectorBytes = 32;
inline constexpr unsigned kLineBytes = 128;
inline constexpr unsigned kSectorsPerLine = kLineBytes / kSectorBytes;
/// Banks of shared memory and of L1's data, and the bytes of a bank's word, on every GPU since compute capability 5.0
/// (CUDA Programming Guide).
inline constexpr unsigned kSharedBanks = 32;
inline constexpr unsigned kSharedBankBytes = 4;
inline constexpr unsigned kSharedBytesPerCycle = kSharedBanks * kSharedBankBytes;

/// What an atomic or a reduction calculates with, as far as the units at L2 differ in speed.
enum class AtomicType : std::uint8_t { kInteger, kFloat, kHalf };

/// How soon a cache's line is to leave, in the order of what wins where several accesses share a fill.
enum class Eviction : std::uint8_t { kFirst, kNormal, kLast };

/// A CTA's or a grid's three dimensions.
struct Dim3 {
  std::uint32_t x = 1;
  std::uint32_t y = 1;
  std::uint32_t z = 1;
  [[nodiscard]] constexpr std::uint64_t volume() const {
    return std::uint64_t{x} * std::uint64_t{y} * std::uint64_t{z};
  }
  friend constexpr bool operator==(const Dim3&, const Dim3&) = default;
};

}  // namespace gpusim
