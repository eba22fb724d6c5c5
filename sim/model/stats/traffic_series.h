// SPDX-License-Identifier: MIT
// What moved over time, by the cycles in which it occupied its bus or port, not by when it was asked for: what waits in
// a queue counts later, so that no interval shows more than the bus can move.
#pragma once

#include <cstddef>
#include <cstdint>

#include "sim/base/types.h"
#include "sim/model/stats/interval_table.h"
#include "sim/model/stats/traffic_counters.h"

namespace gpusim::stats {

/// Its clock has ticks that are finer than cycles, since most of what moves takes a part of one.
class TrafficSeries {
 public:
  explicit TrafficSeries(std::uint64_t ticks_per_cycle) : ticks_per_cycle_(ticks_per_cycle) {}

  /// `amount` moves evenly over the ticks [begin, end), which are not empty. Parts are rounded down to the end of an
  /// interval; what they lack is in the next one.
  void add(std::uint64_t TrafficCounters::*counter, std::uint64_t begin, std::uint64_t end, std::uint64_t amount) {
    const Cycle last = (end - 1) / ticks_per_cycle_;
    table_.reach(last);
    const std::size_t last_row = last >> table_.shift();
    std::uint64_t moved = 0;
    for (std::size_t row = begin / ticks_per_cycle_ >> table_.shift(); row < last_row; ++row) {
      const std::uint64_t row_end = ((static_cast<Cycle>(row) + 1) << table_.shift()) * ticks_per_cycle_;
      const std::uint64_t so_far = amount * (row_end - begin) / (end - begin);
      table_.row(row).*counter += so_far - moved;
      moved = so_far;
    }
    table_.row(last_row).*counter += amount - moved;
  }

  [[nodiscard]] const IntervalTable<TrafficCounters>& table() const { return table_; }

 private:
  std::uint64_t ticks_per_cycle_;
  IntervalTable<TrafficCounters> table_;
};

}  // namespace gpusim::stats
