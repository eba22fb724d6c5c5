// SPDX-License-Identifier: MIT
#include "sim/sm/stall_ledger.h"

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
                               begin, end, state, warp_.next.pc});
}

void charge_private_causes(const Warp& warp, GapCharger& charger) {
  using stats::Stall;
  charger.until(Stall::kSleeping, warp.release.sleeping);
  charger.until(Stall::kBarrier, warp.release.barrier);
  charger.until(Stall::kMembar, warp.release.membar);
  charger.until(Stall::kBranchResolving, warp.release.branch);
  Cycle long_release = 0;
  Cycle short_release = 0;
  if (warp.op->waits_on_counter_limit) {
    const DependenceCounter& counter = warp.counters[warp.op->depbar_counter];
    const bool still_long = counter.outstanding_long > 0;
    short_release = warp.release.counter_limit;
    long_release = still_long ? short_release : std::min(short_release, counter.long_clear_since);
  }
  for (std::uint32_t rest = warp.op->wait_mask; rest != 0; rest &= rest - 1) {
    const DependenceCounter& counter = warp.counters[static_cast<std::size_t>(std::countr_zero(rest))];
    long_release = std::max(long_release, counter.long_clear_since);
    short_release = std::max(short_release, counter.clear_since);
  }
  charger.until(Stall::kLongScoreboard, long_release);
  charger.until(Stall::kShortScoreboard, short_release);
  charger.until(Stall::kWait, warp.release.wait);
}

}  // namespace gpusim::sm
