// SPDX-License-Identifier: MIT
// Charges the cycles in which a warp did not issue, when its wait ends. Owns the profile that they go to, and the
// watch that records them.
#pragma once

#include <cassert>
#include <cstdint>

#include "sim/base/types.h"
#include "sim/machine/sm/warps/cta_table.h"
#include "sim/machine/sm/warps/dependences.h"
#include "sim/machine/sm/warps/stall_ledger.h"
#include "sim/machine/sm/warps/state_series.h"
#include "sim/machine/sm/warps/sub_cores.h"
#include "sim/machine/sm/warps/warp_table.h"

namespace gpusim::sm {

class WaitCharger {
 public:
  /// `watch`: records intervals of SM `sm`; null where nobody watches.
  WaitCharger(std::uint32_t sm, const WarpTable& warps, const CtaTable& ctas, const SubCores& cores,
              const Dependences& dependences, Watch* watch)
      : sm_(sm), warps_(warps), ctas_(ctas), cores_(cores), dependences_(dependences), watch_(watch) {}

  [[nodiscard]] bool is_watched() const { return watch_ != nullptr; }
  [[nodiscard]] bool records_states() const { return series_ != nullptr; }

  /// Where to add up from now on: the tables of the thread that runs this SM. `series`: null where none is recorded.
  void use(Profile& profile, StateSeries* series) {
    profile_ = &profile;
    series_ = series;
  }
  /// The row of an instruction, by its index.
  [[nodiscard]] stats::PcProfile& row(std::uint32_t pc) { return (*profile_)[pc]; }

  /// The warp's wait ends at `now`, with so many cycles in which it is selected. Up to ready_since the cycles are the
  /// warp's own; from then on the register ports' and its pipe's, and what is left was another warp's turn.
  void charge(Warp& warp, std::uint64_t selected, Cycle now);
  /// The same of a warp of `core` that issues at `now` and has waited for its stall count, then for its turn, and for
  /// nothing else; where nobody watches. `charged`: the row of the instruction.
  void charge_plain(const Warp& warp, const SubCore& core, stats::PcProfile& charged, Cycle now) {
    assert(!is_watched() && &charged == &row(warp.next->pc));
    if (series_ != nullptr) [[unlikely]] {
      charge_plain_over_time(warp, now);
      return;
    }
    charged.stalls[static_cast<std::size_t>(Stall::kWait)] += warp.ready_since - warp.gap_begin;
    if (now != warp.ready_since) {
      const std::uint64_t bubbles = core.bubble().bubbles_before(now) - warp.bubbles_before;
      const std::uint64_t closed = core.closed_before(warp.op->pipe, now) - warp.throttled_before;
      charged.stalls[static_cast<std::size_t>(Stall::kDispatchStall)] += bubbles;
      charged.stalls[static_cast<std::size_t>(throttle_of(*warp.op))] += closed;
      charged.stalls[static_cast<std::size_t>(Stall::kNotSelected)] += now - warp.ready_since - bubbles - closed;
    }
    ++charged.stalls[static_cast<std::size_t>(Stall::kSelected)];
  }
  /// A ready warp is none from the next cycle on: charges what kept it from issuing up to and in cycle `now`.
  void withdraw(Warp& warp, Cycle now);
  /// A warp that has exited has drained.
  void drain(const Warp& warp, Cycle now);

 private:
  /// The state of a warp whose next instruction's pipe is closed.
  [[nodiscard]] static Stall throttle_of(const lower::WarpOp& op) {
    if (op.pipe != isa::Pipe::kLsu) {
      return Stall::kMathPipeThrottle;
    }
    return isa::is_of_l1tex(op.space) ? Stall::kLgThrottle : Stall::kMioThrottle;
  }
  [[nodiscard]] GapCharger charger_of(const Warp& warp);
  void charge_plain_over_time(const Warp& warp, Cycle now);
  void charge_turn(const Warp& warp, GapCharger& charger, Cycle end) const;

  std::uint32_t sm_;
  const WarpTable& warps_;
  const CtaTable& ctas_;
  const SubCores& cores_;
  const Dependences& dependences_;
  Watch* watch_;
  Profile* profile_ = nullptr;
  StateSeries* series_ = nullptr;
};

}  // namespace gpusim::sm
