// SPDX-License-Identifier: MIT
#include "sim/machine/sm/warps/sub_core.h"

namespace gpusim::sm {

/// Nothing may issue now. Who waits for a constant is looked at again when it is there.
SlotMask SubCore::held(Cycle now) {
  if (now >= held_until_) {
    tick_after_hold(now);
  }
  return 0;
}

/// Ready warps whose pipe will be open at `at`, as far as is known.
SlotMask SubCore::with_open_pipe(Cycle at) const {
  SlotMask slots = ready_;
  for (std::uint32_t rest = maybe_closed_; rest != 0; rest &= rest - 1) {
    const auto pipe = static_cast<std::size_t>(std::countr_zero(rest));
    if (!gates_[pipe].is_open(at)) {
      slots &= ~wants_[pipe];
    }
  }
  return slots;
}

SlotMask SubCore::without_closed(SlotMask candidates, Cycle now) {
  for (std::uint32_t rest = maybe_closed_; rest != 0; rest &= rest - 1) {
    const auto pipe = static_cast<std::uint32_t>(std::countr_zero(rest));
    if (gates_[pipe].is_open(now)) {
      maybe_closed_ &= ~(1U << pipe);
    } else {
      candidates &= ~wants_[pipe];
    }
  }
  return candidates;
}

void SubCore::hold_issue(Cycle from, std::uint32_t cycles) {
  assert(from >= hold_.until());
  hold_.hold(from, cycles);
  for (std::uint32_t rest = maybe_closed_; rest != 0; rest &= rest - 1) {
    gates_[static_cast<std::size_t>(std::countr_zero(rest))].excuse(from, hold_.until());
  }
  tick_after_hold(from - 1);
}

}  // namespace gpusim::sm
