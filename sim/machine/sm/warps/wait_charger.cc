// SPDX-License-Identifier: MIT
#include "sim/machine/sm/warps/wait_charger.h"

#include <cassert>

namespace gpusim::sm {
namespace {

stats::Stall throttle_of(const lower::WarpOp& op) {
  if (op.pipe != isa::Pipe::kLsu) {
    return stats::Stall::kMathPipeThrottle;
  }
  return isa::is_of_l1tex(op.space) ? stats::Stall::kLgThrottle : stats::Stall::kMioThrottle;
}

}  // namespace

GapCharger WaitCharger::charger_of(const Warp& warp) {
  const WarpName name = is_watched() ? WarpName{sm_, warps_.slot_of(warp), ctas_[warp.cta_slot].linear} : WarpName{};
  return {row(warp.next.pc), warp, name, watch_};
}

void WaitCharger::charge(Warp& warp, std::uint64_t selected, Cycle now) {
  GapCharger charger = charger_of(warp);
  if (dependences_.scoreboard()) [[unlikely]] {
    const Scoreboard::Needs needs = dependences_.scoreboard()->needs(warps_.slot_of(warp), warp.next.pc);
    warp.release.put().long_register = needs.by_long;
    warp.release.put().short_register = needs.by_short;
  }
  charge_private_causes(warp, charger);
  assert(charger.cursor() == warp.ready_since);
  charge_turn(warp, charger, now);
  charger.add(stats::Stall::kSelected, selected);
}

/// What kept a ready warp from issuing before `end`.
void WaitCharger::charge_turn(const Warp& warp, GapCharger& charger, Cycle end) const {
  if (end == warp.ready_since) {
    return;
  }
  const SubCore& core = cores_.of(warp);
  charger.add(stats::Stall::kDispatchStall, core.hold().held_before(end) - warp.held_before);
  charger.add(throttle_of(*warp.op), core.closed_before(warp.op->pipe, end) - warp.throttled_before);
  charger.add(stats::Stall::kNotSelected, end - charger.cursor());
}

void WaitCharger::withdraw(Warp& warp, Cycle now) {
  GapCharger charger = charger_of(warp);
  charge_turn(warp, charger, now + 1);
  warp.gap_begin = now + 1;
}

void WaitCharger::drain(const Warp& warp, Cycle now) {
  charger_of(warp).until(stats::Stall::kDrain, now);
}

}  // namespace gpusim::sm
