// SPDX-License-Identifier: MIT
// Warp-cycles by interval of time and state. One per worker thread, as a profile is; sums do not depend on which
// thread added what.
#pragma once

#include <cstddef>
#include <cstdint>

#include "sim/base/types.h"
#include "sim/model/stats/interval_table.h"
#include "sim/model/stats/stall.h"

namespace gpusim::sm {

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

}  // namespace gpusim::sm
