// SPDX-License-Identifier: MIT
// Why warps do not go on, for the deadlock detector.
#pragma once

#include <cstdint>
#include <optional>

#include "sim/machine/sm/async/mbarrier_state.h"
#include "sim/model/stats/stall.h"

namespace gpusim::sm {

/// A poll that has no answer, and the state of what it asks about.
struct PollWait {
  std::uint32_t object = 0;  ///< number of the mbarrier in the kernel, or Poll::kRegisterPool
  std::uint32_t pc = 0;
  bool parity = false;
  Mbarrier mbarrier;
  std::uint32_t registers_wanted = 0;  ///< a thread, more than the warp has
  std::uint32_t registers_free = 0;    ///< in the CTA's pool
};

/// Why a resident warp does not go on.
struct WarpWait {
  std::uint32_t warp_slot = 0;
  std::uint64_t cta = 0;
  std::uint32_t warp_in_cta = 0;
  std::uint32_t pc = 0;
  stats::StallMask waits = 0;  ///< the states that keep it
  bool exited = false;
  std::uint32_t barrier = 0;  ///< when it waits for one, with its arrivals so far and how many it counts (0: all warps)
  std::uint32_t barrier_arrivals = 0;
  std::uint32_t barrier_needed = 0;
  std::optional<PollWait> poll{};  ///< when it waits for an answer
  /// The warps of the warpgroup (mask) that have not issued its next WGMMA operation, though this warp has; 0: none.
  std::uint8_t wgmma_missing = 0;
  std::uint64_t cluster = 0;  ///< its number, and whether the warp has arrived at its barrier
  bool cluster_arrived = false;
  bool cluster_waits = false;  ///< at that barrier, and at none of its CTA
};

}  // namespace gpusim::sm
