// SPDX-License-Identifier: MIT
// Where the stall ledger adds up the cycles of warps: by instruction, over time, and interval by interval for warps
// that are watched.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/base/types.h"
#include "sim/model/stats/interval_table.h"
#include "sim/model/stats/pc_profile.h"
#include "sim/model/stats/stall.h"
#include "sim/model/stats/watch_interval.h"

namespace gpusim::sm {

/// Executions and warp-cycles by index into Kernel::code. One per worker thread (not one per SM: 132 tables would not
/// stay in the cache); sums do not depend on which thread added what.
using Profile = std::vector<stats::PcProfile>;

/// Warp-cycles by interval of time and state. One per worker thread, as a profile is.
class StateSeries {
 public:
  /// A warp was in a state over cycles [begin, begin + cycles); at least one.
  void add(stats::Stall state, Cycle begin, std::uint64_t cycles) {
    const Cycle last = begin + cycles - 1;
    table_.reach(last);
    const unsigned shift = table_.shift();
    const std::size_t last_row = last >> shift;
    for (std::size_t row = begin >> shift; row < last_row; ++row) {
      const Cycle next = (static_cast<Cycle>(row) + 1) << shift;
      table_.row(row)[static_cast<std::size_t>(state)] += next - begin;
      begin = next;
    }
    table_.row(last_row)[static_cast<std::size_t>(state)] += last + 1 - begin;
  }

  [[nodiscard]] const stats::IntervalTable<stats::StallCycles>& table() const { return table_; }

 private:
  stats::IntervalTable<stats::StallCycles> table_;
};

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

}  // namespace gpusim::sm
