// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>

#include "sim/base/types.h"
#include "sim/model/stats/stall.h"

namespace gpusim::stats {

inline constexpr std::uint32_t kNoProducer = 0xffffffffU;

/// A result holds no more of them: recording ends there, and a file with more is refused.
inline constexpr std::size_t kMostWatchIntervals = 1'000'000;

/// A warp's state over cycles [begin, end), for timelines and for the question why a warp waits.
struct WatchInterval {
  std::uint32_t kernel = 0;
  std::uint32_t sm = 0;
  std::uint32_t sub_core = 0;
  std::uint32_t warp_slot = 0;  ///< slot among the SM's warps
  std::uint64_t cta = 0;        ///< linear
  std::uint32_t warp = 0;       ///< in its CTA
  Cycle begin = 0;
  Cycle end = 0;
  Stall state = Stall::kSelected;
  std::uint32_t pc = 0;   ///< index into KernelResult::pcs: the instruction that issues or waits to
  LaneMask lanes = 0;     ///< on its path
  LaneMask lanes_on = 0;  ///< those of the lanes whose guard is true
  /// Index into KernelResult::pcs: whose result, or operation, the warp waits for. kNoProducer: no instruction's.
  std::uint32_t producer = kNoProducer;
};

}  // namespace gpusim::stats
