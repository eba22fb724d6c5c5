// SPDX-License-Identifier: MIT
#include "sim/machine/sm/residency.h"

#include <algorithm>
#include <cassert>

#include "sim/machine/lower/kernel_image.h"
#include "sim/machine/sm/clusters.h"
#include "sim/machine/sm/cta_log.h"
#include "sim/machine/sm/fetch/front_end.h"
#include "sim/machine/sm/memory_unit.h"
#include "sim/machine/sm/outbox.h"
#include "sim/machine/sm/polls.h"
#include "sim/machine/sm/warps/cta_table.h"
#include "sim/machine/sm/warps/dependences.h"
#include "sim/machine/sm/warps/named_barriers.h"
#include "sim/machine/sm/warps/stall_ledger.h"
#include "sim/machine/sm/warps/sub_cores.h"
#include "sim/machine/sm/warps/warp_table.h"
#include "sim/model/trace/kernel.h"
#include "sim/model/trace/walker.h"

namespace gpusim::sm {

[[gnu::noinline]] void Residency::launch_cta(std::uint64_t linear, Cycle now) {
  const std::uint32_t warps = image_.kernel->warps_per_cta();
  const std::uint32_t cta_slot =
      units_.ctas.place(linear, warps, execution_ != nullptr ? execution_->begin_cta(sm_, linear) : nullptr);
  units_.barriers.begin_cta(cta_slot);
  units_.clusters.begin_cta(cta_slot, warps);
  units_.memory.sync().begin_cta(cta_slot);
  if (log_) {
    log_->begin(cta_slot, now);
  }
  active_.hold(true, now);
  resident_warps_ += warps;
  for (std::uint32_t warp = 0; warp < warps; ++warp) {
    launch_warp(cta_slot, warp, now);
  }
}

void Residency::start_walk(Warp& warp) {
  const Cta& cta = units_.ctas[warp.cta_slot];
  if (cta.executed != nullptr) {
    warp.walker->start(cta.executed->warp(warp.warp_in_cta));
    return;
  }
  const trace::Kernel& kernel = *image_.kernel;
  warp.walker->start(kernel, trace::cta_at(cta.linear, kernel.grid), warp.warp_in_cta, trace::PollAnswers::kOfMachine,
                     image_.simt, image_.most_walked);
}

void Residency::launch_warp(std::uint32_t cta_slot, std::uint32_t warp_in_cta, Cycle now) {
  const std::uint32_t warp_slot = units_.ctas.take_warp_slot();
  Warp& warp = units_.warps[warp_slot];
  warp.resident = true;
  warp.exited = false;
  warp.cta_slot = cta_slot;
  warp.warp_in_cta = warp_in_cta;
  warp.resident_since = now;
  residence_.begin(now);
  warp.gap_begin = now;
  warp.stalls.begin(0);
  assert(warp.in_flight == 0 && warp.wgmma->operations == 0 && warp.wgmma->groups == 0);
  units_.dependences.begin_warp(warp_slot);
  Polls::begin_warp(warp);
  start_walk(warp);
  units_.memory.begin_warp(static_cast<std::uint16_t>(warp_slot));
  units_.cores.begin_warp(warp, launched_++);
  if (warp.walker->next(warp.next.edit(), now)) {
    begin_first_instruction(warp, now);
  } else {
    exit(warp, now);  // a CTA whose last warp has no thread that does anything
  }
}

void Residency::begin_first_instruction(Warp& warp, Cycle now) {
  SubCore& core = units_.cores.of(warp);
  warp.op = &image_.ops[warp.next->pc];
  core.want(warp.slot, *warp.op);
  if (units_.front_end.is_ideal()) {
    core.unblock(warp.slot);
  } else {
    units_.front_end.start(warp);
    core.block(warp.slot);
  }
  units_.cores.look_now(warp.sub_core, now);
}

void Residency::operation_done(Warp& warp, Cycle now) {
  assert(warp.in_flight > 0);
  --warp.in_flight.edit();
  if (warp.exited && warp.in_flight == 0) {
    units_.ledger.drain(warp, now);
    retire(warp, std::max(now, warp.gap_begin.get()));
  }
}

[[gnu::noinline]] void Residency::exit(Warp& warp, Cycle now) {
  warp.exited = true;
  units_.front_end.stop(warp);
  units_.ctas.exit(warp.cta_slot);
  units_.barriers.exit(warp.cta_slot, now);
  if (image_.uses_clusters) {
    units_.clusters.exit(warp, now);
  }
  if (warp.in_flight == 0) {
    retire(warp, warp.gap_begin);
  }
}

/// The warp was resident up to, not including, cycle `end`.
[[gnu::noinline]] void Residency::retire(Warp& warp, Cycle end) {
  const std::uint16_t warp_slot = units_.warps.slot_of(warp);
  warp.resident = false;
  units_.ctas.give_back_warp_slot(warp_slot);
  units_.memory.end_warp(warp_slot);
  residence_.end(end);
  last_drained_ = std::max(last_drained_, end);
  --resident_warps_;
  if (units_.ctas.leave(warp.cta_slot)) {
    end_cta(warp.cta_slot, end);
  }
  if (resident_warps_ == 0) {
    active_.hold(false, end);
  }
}

stats::SmCounters Residency::counters(Cycle end) const {
  stats::SmCounters counters;
  counters.ctas = ctas_;
  counters.warp_cycles = residence_.cycles(end);
  counters.active_cycles = active_.cycles(end);
  return counters;
}

void Residency::end_cta(std::uint32_t cta_slot, Cycle end) {
  if (image_.uses_clusters) {
    units_.clusters.leave(cta_slot, end);
  }
  units_.ctas.release(cta_slot);
  ++ctas_;
  if (log_) {
    log_->end(units_.ctas[cta_slot].linear, cta_slot, end);
  }
  const msg::CtaDone done{units_.ctas[cta_slot].linear, sm_};
  units_.outbox.put(dispatcher_, end + completion_latency_, msg::make(msg::Kind::kCtaDone, done));
}

}  // namespace gpusim::sm
