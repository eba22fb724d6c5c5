// SPDX-License-Identifier: MIT
// Barriers of CTAs at work: arrivals, and the events that release the warps that wait. Owns the barriers of each CTA,
// and when the unit is free.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <utility>
#include <vector>

#include "sim/base/types.h"
#include "sim/machine/sm/event/sm_event.h"
#include "sim/machine/sm/warps/cta_table.h"
#include "sim/model/arch/sm_config.h"
#include "sim/model/isa/instr.h"

namespace gpusim::sm {

inline constexpr std::uint32_t kNamedBarriers = 16;  ///< a CTA (PTX ISA)

/// A BAR instruction of a warp.
struct BarrierUse {
  std::uint32_t barrier = 0;
  std::uint32_t warps = 0;  ///< how many arrivals complete it; 0: those of all warps that have not exited
  bool waits = true;        ///< false: it only arrives
};

struct NamedBarrier {
  WarpMask waiting = 0;
  std::uint32_t arrivals = 0;
  std::uint32_t needed = 0;  ///< BarrierUse::warps of the last arrival
};

/// The barriers of one CTA.
class CtaBarriers {
 public:
  /// The warp arrives; `live_warps` have not exited. Returns the warps to release: all that wait, when this was the
  /// last arrival the barrier needs.
  [[nodiscard]] WarpMask arrive(const BarrierUse& use, std::uint32_t warp_slot, std::uint32_t live_warps) {
    NamedBarrier& barrier = barriers_[use.barrier];
    ++barrier.arrivals;
    barrier.needed = use.warps;
    barrier.waiting |= use.waits ? WarpMask{1} << warp_slot : 0;
    return open_if_complete(barrier, live_warps);
  }

  /// A warp has exited, and so many are left: barriers that do not count no longer wait for it. Returns the warps to
  /// release.
  [[nodiscard]] WarpMask exit(std::uint32_t live_warps) {
    WarpMask released = 0;
    for (NamedBarrier& barrier : barriers_) {
      released |= open_if_complete(barrier, live_warps);
    }
    return released;
  }

  [[nodiscard]] const NamedBarrier& operator[](std::uint32_t barrier) const { return barriers_[barrier]; }

 private:
  [[nodiscard]] static WarpMask open_if_complete(NamedBarrier& barrier, std::uint32_t live_warps) {
    const std::uint32_t needed = barrier.needed != 0 ? barrier.needed : live_warps;
    return barrier.arrivals == 0 || barrier.arrivals < needed ? 0 : std::exchange(barrier, {}).waiting;
  }

  std::array<NamedBarrier, kNamedBarriers> barriers_{};
};

class NamedBarriers {
 public:
  /// The SM takes one arrival of a warp each `interval` cycles. A warp goes on `latency` cycles after the last one.
  NamedBarriers(const CtaTable& ctas, const arch::SmConfig& config, SmEvents& events)
      : ctas_(ctas),
        latency_(config.barrier_latency),
        interval_(config.barrier_interval),
        events_(events),
        barriers_(ctas.size()) {}

  /// A new CTA has the slot.
  void begin_cta(std::uint32_t cta) { barriers_[cta] = {}; }
  /// The warp executes a BAR at `now`. A kBarrierRelease event follows for each warp that waits, when all have arrived.
  void arrive(std::uint32_t cta, std::uint16_t warp_slot, const isa::Instr& instr, Cycle now) {
    const std::uint32_t warps = (instr.barrier_threads + kWarpLanes - 1) / kWarpLanes;
    free_at_ = std::max(free_at_, now) + interval_;
    const BarrierUse use{instr.barrier_id, warps, instr.barrier_waits};
    release(barriers_[cta].arrive(use, warp_slot, ctas_[cta].live_warps), free_at_);
  }
  /// A warp of the CTA has exited, as the table of CTAs knows: no barrier counts it any more, once the arrivals before
  /// its exit have been taken.
  void exit(std::uint32_t cta, Cycle now) {
    release(barriers_[cta].exit(ctas_[cta].live_warps), std::max(free_at_, now));
  }

  [[nodiscard]] const CtaBarriers& of_cta(std::uint32_t cta) const { return barriers_[cta]; }

 private:
  void release(WarpMask warps, Cycle now) {
    for (; warps != 0; warps &= warps - 1) {
      const auto slot = static_cast<std::uint16_t>(std::countr_zero(warps));
      events_.push(after_issue(now, latency_), SmEvent(SmEventKind::kBarrierRelease, slot));
    }
  }

  const CtaTable& ctas_;
  std::uint32_t latency_;
  std::uint32_t interval_;
  Cycle free_at_ = 0;  ///< when the barrier unit is free
  SmEvents& events_;
  std::vector<CtaBarriers> barriers_;  ///< by CTA slot
};

}  // namespace gpusim::sm
