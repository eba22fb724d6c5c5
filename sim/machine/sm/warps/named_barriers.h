// SPDX-License-Identifier: MIT
// Barriers of CTAs at work: arrivals, and the events that release the warps that wait.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#include "sim/base/types.h"
#include "sim/machine/sm/event/sm_event.h"
#include "sim/machine/sm/warps/cta_table.h"
#include "sim/model/arch/sm_config.h"
#include "sim/model/isa/instr.h"

namespace gpusim::sm {

class NamedBarriers {
 public:
  /// The SM takes one arrival of a warp each `interval` cycles. A warp goes on `latency` cycles after the last one.
  NamedBarriers(CtaTable& ctas, const arch::SmConfig& config, SmEvents& events)
      : ctas_(ctas), latency_(config.barrier_latency), interval_(config.barrier_interval), events_(events) {}

  /// The warp executes a BAR at `now`. A kBarrierRelease event follows for each warp that waits, when all have arrived.
  void arrive(std::uint32_t cta, std::uint16_t warp_slot, const isa::Instr& instr, Cycle now) {
    const std::uint32_t warps = (instr.barrier_threads + kWarpLanes - 1) / kWarpLanes;
    free_at_ = std::max(free_at_, now) + interval_;
    release(ctas_.arrive(cta, {instr.barrier_id, warps, instr.barrier_waits}, warp_slot), free_at_);
  }
  /// A warp of the CTA has exited: no barrier counts it any more, once the arrivals before its exit have been taken.
  void exit(std::uint32_t cta, Cycle now) { release(ctas_.exit(cta), std::max(free_at_, now)); }

 private:
  void release(WarpMask warps, Cycle now) {
    for (; warps != 0; warps &= warps - 1) {
      const auto slot = static_cast<std::uint16_t>(std::countr_zero(warps));
      events_.push(after_issue(now, latency_), SmEvent(SmEventKind::kBarrierRelease, slot));
    }
  }

  CtaTable& ctas_;
  std::uint32_t latency_;
  std::uint32_t interval_;
  Cycle free_at_ = 0;  ///< when the barrier unit is free
  SmEvents& events_;
};

}  // namespace gpusim::sm
