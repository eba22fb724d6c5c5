// SPDX-License-Identifier: MIT
// Where every resident cycle of every warp goes. Stalls are intervals: when a warp issues, the cycles since its last
// issue are split among the causes that held, in the documented order of precedence. Nothing is sampled, so the states
// of a warp sum to its resident cycles.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "sim/base/types.h"
#include "sim/machine/lower/warp_op.h"
#include "sim/machine/sm/warps/release.h"
#include "sim/machine/sm/warps/state_series.h"
#include "sim/machine/sm/warps/warp.h"
#include "sim/model/stats/pc_profile.h"
#include "sim/model/stats/stall.h"
#include "sim/model/stats/watch_interval.h"

namespace gpusim::sm {

/// Executions and warp-cycles by index into Kernel::code. One per worker thread (not one per SM: 132 tables would not
/// stay in the cache); sums do not depend on which thread added what.
using Profile = std::vector<stats::PcProfile>;

/// Warp slots of an SM whose intervals are recorded, and where to.
struct Watch {
  std::uint32_t sm = 0;
  bool all_slots = true;
  std::uint32_t warp_slot = 0;
  Cycle begin = 0;
  Cycle end = kNever;
  std::uint32_t kernel = 0;
  bool clip = true;  ///< intervals end with the cycles; otherwise they are whole, up to the issue that ends a wait
  std::size_t most_intervals = stats::kMostWatchIntervals;
  bool is_cut = false;  ///< there were more
  std::vector<stats::WatchInterval> intervals;
};

/// The name a warp goes by in a timeline.
struct WarpName {
  std::uint32_t sm = 0;
  std::uint32_t warp_slot = 0;
  std::uint64_t cta = 0;
};

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

}  // namespace gpusim::sm
