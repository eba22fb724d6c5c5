// SPDX-License-Identifier: MIT
#include "sim/machine/sm/warps/sub_core.h"

namespace gpusim::sm {

/// Nothing may issue now. A warp that waits for a constant is looked at again when it is there.
SlotMask SubCore::in_bubble(Cycle now) {
  if (now >= constant_bubble_end_) {
    tick_after_bubble(now);
  }
  return 0;
}

/// Whether the warp that the policy picks at `at` is one of whose instruction the rest of the SM hears.
bool SubCore::picks_to_reach_out(Cycle at) {
  wake(at);
  const SlotMask able = candidates(at);
  return able != 0 && (reach_out_ & bit(scheduler_.would_pick(able, ages_))) != 0;
}

void SubCore::insert_bubble(Cycle from, std::uint32_t cycles) {
  assert(from >= bubble_.until());
  bubble_.insert(from, cycles);
  for (std::uint32_t rest = maybe_closed_; rest != 0; rest &= rest - 1) {
    latches_[static_cast<std::size_t>(std::countr_zero(rest))].discount(from, bubble_.until());
  }
  tick_after_bubble(from - 1);
}

}  // namespace gpusim::sm
