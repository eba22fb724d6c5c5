// SPDX-License-Identifier: MIT
#include "sim/machine/sm/warps/sub_core.h"

namespace gpusim::sm {

/// Nothing may issue now. Who waits for a constant is looked at again when it is there.
SlotMask SubCore::in_bubble(Cycle now) {
  if (now >= constant_bubble_end_) {
    tick_after_bubble(now);
  }
  return 0;
}

/// Those of the candidates whose pipe is open at `now`, a cycle in which nothing has issued yet.
SlotMask SubCore::without_closed(SlotMask candidates, Cycle now) {
  for (std::uint32_t rest = maybe_closed_; rest != 0; rest &= rest - 1) {
    const auto pipe = static_cast<std::uint32_t>(std::countr_zero(rest));
    if (latches_[pipe].is_open(now)) {
      maybe_closed_ &= ~(1U << pipe);
    } else {
      candidates &= ~wants_[pipe];
    }
  }
  return candidates;
}

void SubCore::tick_when_open(Cycle now) {
  for (std::uint32_t rest = maybe_closed_; rest != 0; rest &= rest - 1) {
    const auto pipe = static_cast<std::uint32_t>(std::countr_zero(rest));
    const PipeLatch& latch = latches_[pipe];
    const Cycle opens = latch.opens_at();
    if ((wants_[pipe] & ready_) != 0 && !latch.is_kept_closed() && opens > now && opens - now < kRing) {
      tick_at(opens);
    }
  }
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
