// SPDX-License-Identifier: MIT
#pragma once

#include "sim/model/policy/warp/loose_round_robin.h"

namespace gpusim::policy {

/// Loose round robin among few active warps, so that the others' long waits do not all begin at once (Narasiman et al.,
/// MICRO 2011). A warp leaves the active set when it begins a long wait or exits; the oldest ready one takes its place.
class TwoLevel : public WarpPolicyDefaults {
 public:
  static constexpr bool kHasState = true;
  explicit TwoLevel(const WarpPolicyOptions& options) : size_(options.active_warps) {}

  /// Fills free places, and returns the slots that are both ready and active.
  [[nodiscard]] SlotMask eligible(SlotMask ready, Ages ages) {
    for (SlotMask pending = ready & ~active_;
         pending != 0 && static_cast<std::uint32_t>(std::popcount(active_)) < size_; pending = ready & ~active_) {
      active_ |= SlotMask{1} << oldest(pending, ages);
    }
    return ready & active_;
  }
  [[nodiscard]] std::uint32_t pick(const WarpView& view) const { return LooseRoundRobin().pick(view); }
  void began_long_wait(std::uint32_t slot) { active_ &= ~(SlotMask{1} << slot); }

 private:
  std::uint32_t size_;
  SlotMask active_ = 0;
};

}  // namespace gpusim::policy
