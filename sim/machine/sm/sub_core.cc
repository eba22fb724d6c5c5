// SPDX-License-Identifier: MIT
#include "sim/machine/sm/sub_core.h"

namespace gpusim::sm {

SlotMask SubCore::candidates(Cycle now) {
  if (hold_.holds(now)) {
    tick_after_hold(now);
    return 0;
  }
  SlotMask candidates = is_two_level_ ? ready_ & active_.fill(ready_, ages_) : ready_;
  for (std::uint32_t rest = maybe_closed_; rest != 0; rest &= rest - 1) {
    const auto pipe = static_cast<std::uint32_t>(std::countr_zero(rest));
    if ((wants_[pipe] & candidates) == 0) {
      continue;
    }
    if (gates_[pipe].is_open(now)) {
      maybe_closed_ &= ~(1U << pipe);
    } else {
      candidates &= ~wants_[pipe];
    }
  }
  return candidates;
}

std::uint32_t SubCore::youngest(SlotMask slots) const {
  auto found = static_cast<std::uint32_t>(std::countr_zero(slots));
  for (SlotMask rest = slots; rest != 0; rest &= rest - 1) {
    const auto slot = static_cast<std::uint32_t>(std::countr_zero(rest));
    found = ages_[slot] > ages_[found] ? slot : found;
  }
  return found;
}

std::uint32_t SubCore::pick(SlotMask candidates) {
  const PolicyView view{candidates, last_, ages_};
  last_ = std::visit([&view](const auto& policy) { return policy.pick(view); }, policy_);
  return last_;
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
