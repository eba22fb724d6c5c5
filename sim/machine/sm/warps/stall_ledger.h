// SPDX-License-Identifier: MIT
// Where every resident cycle of every warp goes. Stalls are intervals: when a warp issues, the cycles since its last
// issue are split among the causes that held, in the documented order of precedence. Nothing is sampled, so the states
// of a warp sum to its resident cycles. Owns nothing: what it adds to belongs to the worker threads, and to whoever
// watches (stall_records.h).
#pragma once

#include <algorithm>
#include <cassert>
#include <cstdint>

#include "sim/base/types.h"
#include "sim/machine/lower/warp_op.h"
#include "sim/machine/sm/warps/cta_table.h"
#include "sim/machine/sm/warps/dependences.h"
#include "sim/machine/sm/warps/stall_records.h"
#include "sim/machine/sm/warps/sub_cores.h"
#include "sim/machine/sm/warps/warp.h"
#include "sim/machine/sm/warps/warp_table.h"
#include "sim/model/stats/pc_profile.h"
#include "sim/model/stats/stall.h"

namespace gpusim::sm {

/// Charges one warp's gap to one row, keeping a cursor: the part of the gap that is already charged.
class GapCharger {
 public:
  /// `watch`, `series`: null where nobody records intervals, or states over time.
  GapCharger(stats::PcProfile& row, const Warp& warp, const WarpName& name, Watch* watch, StateSeries* series)
      : row_(row), warp_(warp), name_(name), watch_(watch), series_(series), cursor_(warp.gap_begin) {}

  /// A cause that has held since its beginning, at or before which the causes charged so far have ended: charges what
  /// no state of higher precedence has been charged, and keeps the rest as concurrent.
  void charge(Stall state, const StallInterval& interval) {
    const std::uint64_t charged = interval.end > cursor_ ? interval.end - cursor_ : 0;
    const Cycle since = std::max(interval.begin, warp_.gap_begin.get());
    if (const std::uint64_t held = interval.end > since ? interval.end - since : 0; held > charged) {
      row_.concurrent[static_cast<std::size_t>(state)] += held - charged;
    }
    add(state, charged, interval.producer);
    if (charged != 0 && interval.producer != lower::kNoProducer) {
      row_.add_blame({interval.producer, state, charged});
    }
  }
  void add(Stall state, std::uint64_t cycles, std::uint32_t producer = lower::kNoProducer) {
    if (cycles == 0) {
      return;
    }
    row_.stalls[static_cast<std::size_t>(state)] += cycles;
    if (watch_ != nullptr) [[unlikely]] {
      record(state, cycles, producer);
    }
    if (series_ != nullptr) {
      series_->add(state, cursor_, cycles);
    }
    cursor_ += cycles;
  }
  [[nodiscard]] Cycle cursor() const { return cursor_; }

 private:
  void record(Stall state, std::uint64_t cycles, std::uint32_t producer);

  stats::PcProfile& row_;
  const Warp& warp_;
  WarpName name_;  // by value: callers pass temporaries
  Watch* watch_;
  StateSeries* series_;
  Cycle cursor_;
};

/// The results that met the dependences of a warp's next instruction: the last of those from L1TEX, and of all.
struct MetDependences {
  Release by_long;
  Release by_any;
};

/// Charges the causes private to the warp, which all ended by warp.ready_since, in order of precedence: that of the
/// table of states. `of_registers`: what a scoreboard, where there is one, has seen; otherwise none.
void charge_private_causes(Warp& warp, GapCharger& charger, const MetDependences& of_registers = {});

/// Charges the cycles in which a warp did not issue, when its wait ends.
class StallLedger {
 public:
  /// `watch`: records intervals of SM `sm`; null where nobody watches.
  StallLedger(std::uint32_t sm, const WarpTable& warps, const CtaTable& ctas, const SubCores& cores,
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
      const std::uint64_t bubbles = core.pipes().bubble().bubbles_before(now) - warp.bubbles_before;
      const std::uint64_t closed = core.pipes().closed_before(warp.op->pipe, now) - warp.throttled_before;
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
