// SPDX-License-Identifier: MIT
// CTAs come from the dispatcher and leave when all their warps have exited and drained.
#include <algorithm>
#include <cassert>

#include "sim/machine/sm/sm.h"

namespace gpusim::sm {

void Sm::launch_cta(std::uint64_t linear, Cycle now) {
  const std::uint32_t warps = job_.image->kernel->warps_per_cta();
  const std::uint32_t cta_slot = ctas_.place(linear, warps);
  cluster_barriers_[cta_slot] = ClusterBarrier(warps);
  memory_.begin_cta(cta_slot);
  if (resident_warps_ == 0) {
    active_since_ = now;
  }
  resident_warps_ += warps;
  for (std::uint32_t warp = 0; warp < warps; ++warp) {
    launch_warp(cta_slot, warp, now);
  }
}

void Sm::launch_warp(std::uint32_t cta_slot, std::uint32_t warp_in_cta, Cycle now) {
  const trace::Kernel& kernel = *job_.image->kernel;
  const std::uint32_t warp_slot = ctas_.take_warp_slot();
  Warp& warp = warps_[warp_slot];
  warp.resident = true;
  warp.exited = false;
  warp.waits = 0;
  warp.answers = 0;
  warp.unanswered = 0;
  warp.cta_slot = cta_slot;
  warp.warp_in_cta = warp_in_cta;
  warp.resident_since = now;
  warp.gap_begin = now;
  warp.release.clear();
  warp.counters = {};
  warp.fresh_raises = 0;
  if (scoreboard_) {
    scoreboard_->begin_warp(warp_slot);
  }
  warp.gmma = {};
  warp.walker.start(kernel, trace::cta_at(ctas_[cta_slot].linear, kernel.grid), warp_in_cta,
                    trace::LiveAnswers::kOfMachine, job_.image->simt);
  memory_.begin_warp(static_cast<std::uint16_t>(warp_slot));
  sub_cores_[warp.sub_core].set_age(warp.slot, launched_++);
  sub_cores_[warp.sub_core].registers().forget(warp.slot);
  if (!warp.walker.next(warp.next)) {
    exit_warp(warp, now);  // a CTA whose last warp has no thread that does anything
    return;
  }
  warp.op = &job_.image->ops[warp.next.pc];
  SubCore& core = sub_cores_[warp.sub_core];
  core.want(warp.slot, warp.op->pipe);
  if (front_end_.is_ideal()) {
    core.unblock(warp.slot);
  } else {
    front_end_.start(warp);
    core.block(warp.slot);
  }
  look_now(warp.sub_core);
}

void Sm::operation_done(Warp& warp, Cycle now) {
  assert(warp.in_flight > 0);
  --warp.in_flight;
  if (warp.exited && warp.in_flight == 0) {
    GapCharger charger(profile_->rows[warp.next.pc], warp, name_of(warp), job_.watch);
    charger.until(stats::Stall::kDrain, now);
    retire_warp(slot_of(warp), std::max(now, warp.gap_begin));
  }
}

/// The last lane has exited in the cycle before warp.gap_begin.
void Sm::exit_warp(Warp& warp, Cycle now) {
  warp.exited = true;
  front_end_.stop(warp);
  release_barrier(ctas_.exit(warp.cta_slot), now);
  if (job_.image->uses_clusters) {
    exit_from_cluster(warp, now);
  }
  if (warp.in_flight == 0) {
    retire_warp(slot_of(warp), warp.gap_begin);
  }
}

/// The warp was resident up to, not including, cycle `end`.
void Sm::retire_warp(std::uint32_t warp_slot, Cycle end) {
  Warp& warp = warps_[warp_slot];
  warp.resident = false;
  ctas_.give_back_warp_slot(warp_slot);
  memory_.end_warp(static_cast<std::uint16_t>(warp_slot));
  counters_.warp_cycles += end - warp.resident_since;
  last_drained_ = std::max(last_drained_, end);
  --resident_warps_;
  Cta& cta = ctas_[warp.cta_slot];
  if (--cta.leaving_warps == 0) {
    if (job_.image->uses_clusters) {
      leave_cluster(warp.cta_slot, end);
    }
    cta.resident = false;
    ++counters_.ctas;
    msg::Message done;
    done.kind = msg::Kind::kCtaDone;
    done.address = cta.linear;
    done.requester = wiring_.place.index;
    send(wiring_.dispatcher, end + arch_.launch.completion_latency, done);
  }
  if (resident_warps_ == 0) {
    counters_.active_cycles += end - active_since_;
  }
}

}  // namespace gpusim::sm
