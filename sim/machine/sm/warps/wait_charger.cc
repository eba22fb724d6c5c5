// SPDX-License-Identifier: MIT
#include "sim/machine/sm/warps/wait_charger.h"

namespace gpusim::sm {

GapCharger WaitCharger::charger_of(const Warp& warp) {
  const WarpName name = is_watched() ? WarpName{sm_, warps_.slot_of(warp), ctas_[warp.cta_slot].linear} : WarpName{};
  return {row(warp.next->pc), warp, name, watch_, series_};
}

/// What kept a ready warp from issuing before `end`.
inline void WaitCharger::charge_turn(const Warp& warp, GapCharger& charger, Cycle end) const {
  if (end == warp.ready_since) {
    return;
  }
  const SubCore& core = cores_.of(warp);
  charger.add(Stall::kDispatchStall, core.bubble().bubbles_before(end) - warp.bubbles_before);
  charger.add(throttle_of(*warp.op), core.closed_before(warp.op->pipe, end) - warp.throttled_before);
  charger.add(Stall::kNotSelected, end - charger.cursor());
}

void WaitCharger::charge(Warp& warp, std::uint64_t selected, Cycle now) {
  GapCharger charger = charger_of(warp);
  MetDependences of_registers;
  if (dependences_.scoreboard()) [[unlikely]] {
    const Scoreboard::Needs needs = dependences_.scoreboard()->needs(warps_.slot_of(warp), warp.next->pc);
    of_registers = {needs.by_long, needs.by_short};
  }
  charge_private_causes(warp, charger, of_registers);
  assert(charger.cursor() == warp.ready_since);
  charge_turn(warp, charger, now);
  charger.add(Stall::kSelected, selected);
}

void WaitCharger::charge_plain_over_time(const Warp& warp, Cycle now) {
  GapCharger charger(row(warp.next->pc), warp, {}, nullptr, series_);
  charger.add(Stall::kWait, warp.ready_since - warp.gap_begin);
  charge_turn(warp, charger, now);
  charger.add(Stall::kSelected, 1);
}

void WaitCharger::withdraw(Warp& warp, Cycle now) {
  GapCharger charger = charger_of(warp);
  charge_turn(warp, charger, now + 1);
  warp.gap_begin = now + 1;
}

void WaitCharger::drain(const Warp& warp, Cycle now) {
  charger_of(warp).charge(Stall::kDrain, {0, now, lower::kNoProducer});
}

}  // namespace gpusim::sm
