// SPDX-License-Identifier: MIT
#include "sim/machine/sm/warps/stall_ledger.h"

#include <algorithm>
#include <bit>

namespace gpusim::sm {

static_assert(lower::kNoProducer == stats::kNoProducer);

void GapCharger::record(Stall state, std::uint64_t cycles, std::uint32_t producer) {
  const Cycle begin = watch_->clip ? std::max(cursor_, watch_->begin) : cursor_;
  const Cycle end = watch_->clip ? std::min(cursor_ + cycles, watch_->end) : cursor_ + cycles;
  const bool is_inside = watch_->clip ? begin < end : warp_.gap_begin < watch_->end && end > watch_->begin;
  if (!is_inside || (!watch_->all_slots && watch_->warp_slot != name_.warp_slot)) {
    return;
  }
  if (watch_->intervals.size() >= watch_->most_intervals) {
    watch_->is_cut = true;
    return;
  }
  watch_->intervals.push_back({watch_->kernel, name_.sm, warp_.sub_core, name_.warp_slot, name_.cta, warp_.warp_in_cta,
                               begin, end, state, warp_.next->pc, warp_.next->active, warp_.next->mask, producer});
}

namespace {

/// What met the limit of a counter: DEPBAR's, or room in one that the instruction increments.
MetDependences met_limit(const Warp& warp) {
  const DependenceCounter& counter = warp.counters.get()[warp.stalls.limited_counter()];
  const StallInterval& limit = warp.stalls[Stall::kShortScoreboard];
  const Release by_any{limit.end, limit.producer};
  const bool still_long = counter.outstanding_long > 0 || counter.long_clear_since > by_any.at;
  return {still_long ? by_any : Release{counter.long_clear_since, counter.last_long}, by_any};
}

MetDependences met_dependences(const Warp& warp, const MetDependences& of_registers) {
  MetDependences met = warp.stalls.holds(Stall::kShortScoreboard) ? met_limit(warp) : of_registers;
  for (std::uint32_t rest = warp.op->wait_mask; rest != 0; rest &= rest - 1) {
    const DependenceCounter& counter = warp.counters.get()[static_cast<std::size_t>(std::countr_zero(rest))];
    met.by_long.put_off({counter.long_clear_since, counter.last_long});
    met.by_any.put_off({counter.clear_since, counter.last});
  }
  return met;
}

/// Calls `visit(state, release)` for the states that need no event, those of dependences and the stall count, as far as
/// they have held in the gap; in order of precedence.
template <class Visit>
void for_each_dependence(const Warp& warp, const MetDependences& of_registers, Visit&& visit) {
  static_assert(Stall::kLongScoreboard < Stall::kShortScoreboard && Stall::kShortScoreboard < Stall::kWait);
  const MetDependences met = met_dependences(warp, of_registers);
  const auto visit_if_held = [&](Stall state, const Release& release) {
    if (release.at > warp.gap_begin) {
      visit(state, release);
    }
  };
  visit_if_held(Stall::kLongScoreboard, met.by_long);
  visit_if_held(Stall::kShortScoreboard, met.by_any);
  visit_if_held(Stall::kWait, {warp.stalls.wait, lower::kNoProducer});
}

}  // namespace

void charge_private_causes(Warp& warp, GapCharger& charger, const MetDependences& of_registers) {
  if (!warp.stalls.has_others()) {  // the common case: all have held since the gap began
    for_each_dependence(warp, of_registers, [&](Stall state, const Release& release) {
      charger.charge(state, {0, release.at, release.producer});
    });
    return;
  }
  for_each_dependence(warp, of_registers, [&](Stall state, const Release& release) {
    warp.stalls.note_end(state, release.at, release.producer);
  });
  StallMask later = 0;  // not begun by the end of those charged so far
  for (StallMask rest = warp.stalls.held(); rest != 0;) {
    const auto state = static_cast<Stall>(std::countr_zero(rest));
    const StallInterval& interval = warp.stalls[state];
    if (interval.begin > charger.cursor()) {
      later |= mask_of(state);
      rest &= ~mask_of(state);
    } else {
      charger.charge(state, interval);
      rest = (rest & ~mask_of(state)) | later;
      later = 0;
    }
  }
}

GapCharger StallLedger::charger_of(const Warp& warp) {
  const WarpName name = is_watched() ? WarpName{sm_, warps_.slot_of(warp), ctas_[warp.cta_slot].linear} : WarpName{};
  return {row(warp.next->pc), warp, name, watch_, series_};
}

/// What kept a ready warp from issuing before `end`.
inline void StallLedger::charge_turn(const Warp& warp, GapCharger& charger, Cycle end) const {
  if (end == warp.ready_since) {
    return;
  }
  const SubCore& core = cores_.of(warp);
  charger.add(Stall::kDispatchStall, core.pipes().bubble().bubbles_before(end) - warp.bubbles_before);
  charger.add(throttle_of(*warp.op), core.pipes().closed_before(warp.op->pipe, end) - warp.throttled_before);
  charger.add(Stall::kNotSelected, end - charger.cursor());
}

void StallLedger::charge(Warp& warp, std::uint64_t selected, Cycle now) {
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

void StallLedger::charge_plain_over_time(const Warp& warp, Cycle now) {
  GapCharger charger(row(warp.next->pc), warp, {}, nullptr, series_);
  charger.add(Stall::kWait, warp.ready_since - warp.gap_begin);
  charge_turn(warp, charger, now);
  charger.add(Stall::kSelected, 1);
}

void StallLedger::withdraw(Warp& warp, Cycle now) {
  GapCharger charger = charger_of(warp);
  charge_turn(warp, charger, now + 1);
  warp.gap_begin = now + 1;
}

void StallLedger::drain(const Warp& warp, Cycle now) {
  charger_of(warp).charge(Stall::kDrain, {0, now, lower::kNoProducer});
}

}  // namespace gpusim::sm
