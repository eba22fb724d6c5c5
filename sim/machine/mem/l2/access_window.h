// SPDX-License-Identifier: MIT
// Lines that a slice of L2 keeps longer or less long than the others: those of one window of addresses.
#pragma once

#include <cstdint>

#include "sim/base/hash.h"
#include "sim/base/types.h"

namespace gpusim::mem::l2 {

struct AccessWindow {
  Address base = 0;
  std::uint64_t bytes = 0;  ///< 0: there is no window
  std::uint32_t hit_percent = 100;
  Eviction hit = Eviction::kNormal;
  Eviction miss = Eviction::kNormal;
  std::uint32_t persisting_ways = 0;  ///< how many lines of each set may persist

  [[nodiscard]] bool holds(Address line) const { return line - base < bytes; }
  /// Which lines are hits is drawn by a hash: CUDA leaves it to the GPU.
  [[nodiscard]] Eviction of(Address line) const {
    return scale_to(mix64(line / kLineBytes), 100) < hit_percent ? hit : miss;
  }
};

}  // namespace gpusim::mem::l2
