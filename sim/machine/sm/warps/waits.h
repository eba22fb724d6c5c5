// SPDX-License-Identifier: MIT
// The states for which a warp's next instruction may not issue.
#pragma once

#include "sim/model/stats/stall.h"

namespace gpusim::sm {

class SubCores;

using stats::mask_of;
using stats::Stall;
using stats::StallMask;

/// A warp that waits for dependence counters in the wait mask, a DEPBAR's limit, or room in a counter that it
/// increments: which of the two states that was is known when the wait ends.
inline constexpr StallMask kScoreboards = mask_of(Stall::kLongScoreboard) | mask_of(Stall::kShortScoreboard);

/// What keeps a warp's next instruction from being a candidate, besides a timer. Whoever begins a wait adds it; only
/// SubCores ends one, since the warp may be ready then.
class WarpWaits {
 public:
  operator StallMask() const { return states_; }
  void add(StallMask states) { states_ |= states; }

 private:
  friend SubCores;
  void end(StallMask states) { states_ &= ~states; }

  StallMask states_ = 0;
};

}  // namespace gpusim::sm
