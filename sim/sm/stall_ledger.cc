// SPDX-License-Identifier: MIT
#include "sim/sm/stall_ledger.h"

#include <algorithm>
#include <bit>

namespace gpusim::sm {
void add_blame(const stats::Blame& blame, std::vector<stats::Blame>& sum) {
  for (stats::Blame& known : sum) {
    if (known.producer == blame.producer && known.state == blame.state) {
      known.cycles += blame.cycles;
      return;
    }
  }
  sum.push_back(blame);
}

void GapCharger::record(stats::Stall state, std::uint64_t cycles) {
  const Cycle begin = std::max(cursor_, watch_->begin);
  const Cycle end = std::min(cursor_ + cycles, watch_->end);
  if (begin >= end || (!watch_->all_slots && watch_->warp_slot != name_.warp_slot)) {
    return;
  }
  watch_->intervals.push_back({watch_->kernel, name_.sm, warp_.sub_core, name_.warp_slot, name_.cta, warp_.warp_in_cta,
                               begin, end, state, warp_.next.pc, warp_.next.active, warp_.next.mask});
}

void charge_private_causes(const Warp& warp, GapCharger& charger) {
  using stats::Stall;
  charger.until(Stall::kSleeping, warp.release.sleeping);
  charger.until(Stall::kBarrier, warp.release.barrier);
  charger.until(Stall::kMembar, warp.release.membar);
  charger.until(Stall::kGmma, warp.release.gmma, warp.release.gmma_producer);
  charger.until(Stall::kBranchResolving, warp.release.branch);
  charger.during(Stall::kNoInstruction, warp.release.fetch_begin, warp.release.fetch);
  charger.until(Stall::kImcMiss, warp.release.constant);
  Release by_long = warp.release.long_register;
  Release by_any = warp.release.short_register;
  if (warp.release.counter_limit != 0) {
    const DependenceCounter& counter = warp.counters[warp.release.limited_counter];
    by_any = {warp.release.counter_limit, warp.release.counter_limit_producer};
    const bool still_long = counter.outstanding_long > 0 || counter.long_clear_since > by_any.at;
    by_long = still_long ? by_any : Release{counter.long_clear_since, counter.last_long};
  }
  for (std::uint32_t rest = warp.op->wait_mask; rest != 0; rest &= rest - 1) {
    const DependenceCounter& counter = warp.counters[static_cast<std::size_t>(std::countr_zero(rest))];
    by_long.put_off({counter.long_clear_since, counter.last_long});
    by_any.put_off({counter.clear_since, counter.last});
  }
  charger.until(Stall::kLongScoreboard, by_long.at, by_long.producer);
  charger.until(Stall::kShortScoreboard, by_any.at, by_any.producer);
  charger.until(Stall::kWait, warp.release.wait);
}

}  // namespace gpusim::sm
