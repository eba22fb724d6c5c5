// SPDX-License-Identifier: MIT
#include "sim/machine/sm/warps/stall_ledger.h"

#include <algorithm>
#include <bit>

namespace gpusim::sm {

void GapCharger::record(stats::Stall state, std::uint64_t cycles) {
  const Cycle begin = std::max(cursor_, watch_->begin);
  const Cycle end = std::min(cursor_ + cycles, watch_->end);
  if (begin >= end || (!watch_->all_slots && watch_->warp_slot != name_.warp_slot)) {
    return;
  }
  watch_->intervals.push_back({watch_->kernel, name_.sm, warp_.sub_core, name_.warp_slot, name_.cta, warp_.warp_in_cta,
                               begin, end, state, warp_.next.pc, warp_.next.active, warp_.next.mask});
}

namespace {

/// The results that met the dependences of a warp's next instruction: all of them, and those from L1TEX.
struct MetDependences {
  Release by_long;
  Release by_any;
};

/// The causes of higher precedence than dependences. Returns the dependences that are no counters in the wait mask: a
/// limit of a counter, or registers of a scoreboard.
MetDependences charge_rarer_causes(const Warp& warp, GapCharger& charger) {
  using stats::Stall;
  const ReleaseTimes& release = warp.release.others();
  charger.until(Stall::kSleeping, release.sleeping);
  charger.until(Stall::kBarrier, release.barrier);
  charger.until(Stall::kMembar, release.membar);
  charger.until(Stall::kGmma, release.gmma, release.gmma_producer);
  charger.until(Stall::kBranchResolving, release.branch);
  charger.during(Stall::kNoInstruction, release.fetch_begin, release.fetch);
  charger.until(Stall::kImcMiss, release.constant);
  if (release.counter_limit == 0) {
    return {release.long_register, release.short_register};
  }
  const DependenceCounter& counter = warp.counters[release.limited_counter];
  const Release by_any{release.counter_limit, release.counter_limit_producer};
  const bool still_long = counter.outstanding_long > 0 || counter.long_clear_since > by_any.at;
  return {still_long ? by_any : Release{counter.long_clear_since, counter.last_long}, by_any};
}

}  // namespace

void charge_private_causes(const Warp& warp, GapCharger& charger) {
  using stats::Stall;
  MetDependences met;
  if (warp.release.has_others()) {
    met = charge_rarer_causes(warp, charger);
  }
  for (std::uint32_t rest = warp.op->wait_mask; rest != 0; rest &= rest - 1) {
    const DependenceCounter& counter = warp.counters[static_cast<std::size_t>(std::countr_zero(rest))];
    met.by_long.put_off({counter.long_clear_since, counter.last_long});
    met.by_any.put_off({counter.clear_since, counter.last});
  }
  charger.until(Stall::kLongScoreboard, met.by_long.at, met.by_long.producer);
  charger.until(Stall::kShortScoreboard, met.by_any.at, met.by_any.producer);
  charger.until(Stall::kWait, warp.release.wait);
}

}  // namespace gpusim::sm
