// SPDX-License-Identifier: MIT
// What a warp's next instruction waits for, and what ends each wait. A warp sleeps on its conditions; the last that
// ends makes it ready.
#include <algorithm>
#include <bit>
#include <cassert>

#include "sim/sm/sm.h"

namespace gpusim::sm {

void Sm::begin_wait(Warp& warp, Cycle now) {
  set_timer(warp, std::max({warp.release.wait, warp.release.branch, warp.release.sleeping}), now);
  if (!counters_clear(warp)) {
    warp.waits |= kWaitsForCounters;
  }
}

void Sm::set_timer(Warp& warp, Cycle due, Cycle now) {
  assert(due > now);
  warp.waits |= kWaitsForTimer;
  if (due - now < SubCore::kRing) {
    sub_cores_[warp.sub_core].wake_at(warp.slot, due);
  } else {
    events_.push(due, {SmEventKind::kWarpTimer, 0, lower::ProducerClass::kShort, slot_of(warp), 0});
  }
}

bool Sm::counters_clear(const Warp& warp) const {
  for (std::uint32_t rest = warp.op->wait_mask; rest != 0; rest &= rest - 1) {
    if (warp.counters[static_cast<std::size_t>(std::countr_zero(rest))].outstanding > 0) {
      return false;
    }
  }
  return !warp.op->waits_on_counter_limit ||
         warp.counters[warp.op->depbar_counter].outstanding <= warp.op->depbar_limit;
}

void Sm::release_counter(Warp& warp, const SmEvent& event, Cycle now) {
  if (event.banks != 0) {
    SmEvent rest = event;
    rest.banks = sub_cores_[warp.sub_core].registers().write(event.banks, now);
    if (rest.banks != 0) {
      events_.push(now + 1, rest);  // fixed-latency results have the write port
      return;
    }
  }
  DependenceCounter& counter = warp.counters[event.counter];
  assert(counter.outstanding > 0);
  counter.last = event.pc;
  if (--counter.outstanding == 0) {
    counter.clear_since = now;
  }
  if (event.producer == lower::ProducerClass::kLong) {
    counter.last_long = event.pc;
    if (--counter.outstanding_long == 0) {
      counter.long_clear_since = now;
    }
  }
  if ((warp.waits & kWaitsForCounters) != 0) {
    if (warp.op->waits_on_counter_limit && counter.outstanding == warp.op->depbar_limit &&
        event.counter == warp.op->depbar_counter) {
      warp.release.counter_limit = now;
      warp.release.counter_limit_producer = event.pc;
    }
    if (counters_clear(warp)) {
      end_wait(warp, kWaitsForCounters, now);
    }
  }
  operation_done(warp, now);
}

void Sm::end_wait(Warp& warp, WaitReason reason, Cycle now) {
  assert((warp.waits & reason) != 0);
  warp.waits = static_cast<std::uint8_t>(warp.waits & ~reason);
  if (warp.waits == 0) {
    make_ready(warp, now);
  }
}

void Sm::make_ready(Warp& warp, Cycle now) {
  SubCore& core = sub_cores_[warp.sub_core];
  warp.ready_since = now;
  warp.throttled_before = core.closed_before(warp.op->pipe, now);
  warp.held_before = core.hold().held_before(now);
  core.set_ready(warp.slot, warp.op->pipe);
}

void Sm::release_barrier(WarpMask warps, Cycle now) {
  for (; warps != 0; warps &= warps - 1) {
    const auto slot = static_cast<std::uint16_t>(std::countr_zero(warps));
    events_.push(after_issue(now, arch_.sm.barrier_latency),
                 {SmEventKind::kBarrierRelease, 0, lower::ProducerClass::kShort, slot, 0});
  }
}

}  // namespace gpusim::sm
