// SPDX-License-Identifier: MIT
// Rows by interval of time, for a run whose length nobody knows beforehand: a bounded number of intervals of equal
// length, which doubles when time goes beyond them. Neighbours are merged then, so sums stay exact, and what is in a
// row does not depend on when, or where, the length doubled.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "sim/base/types.h"
#include "sim/model/stats/field.h"
#include "sim/model/stats/stall.h"

namespace gpusim::stats {

inline constexpr std::size_t kMostIntervals = 256;
inline constexpr unsigned kFirstIntervalShift = 6;  ///< intervals begin with 64 cycles

/// `Row`: StallCycles, or a block of counters.
template <class Row>
class IntervalTable {
 public:
  /// Intervals have 2^shift() cycles.
  [[nodiscard]] unsigned shift() const { return shift_; }

  /// Makes room for a cycle.
  void reach(Cycle cycle) {
    while (cycle >> shift_ >= kMostIntervals) {
      widen();
    }
  }
  /// The row of an interval that reach() made room for.
  [[nodiscard]] Row& row(std::size_t interval) { return rows_[interval]; }
  [[nodiscard]] const Row& row(std::size_t interval) const { return rows_[interval]; }
  /// The row of the interval in which a cycle lies.
  [[nodiscard]] Row& at(Cycle cycle) {
    reach(cycle);
    return rows_[cycle >> shift_];
  }

  /// Adds the other's rows; intervals are then as long as the longer of both.
  void merge(IntervalTable other) {
    widen_to(other.shift_);
    other.widen_to(shift_);
    for (std::size_t i = 0; i < kMostIntervals; ++i) {
      add(rows_[i], other.rows_[i]);
    }
  }

  /// Until intervals have at least 2^shift cycles.
  void widen_to(unsigned shift) {
    while (shift_ < shift) {
      widen();
    }
  }

  /// Doubles the length of intervals.
  void widen() {
    for (std::size_t i = 0; i < kMostIntervals / 2; ++i) {
      Row both = rows_[2 * i];
      add(both, rows_[2 * i + 1]);
      rows_[i] = both;
    }
    for (std::size_t i = kMostIntervals / 2; i < kMostIntervals; ++i) {
      rows_[i] = Row{};
    }
    ++shift_;
  }

 private:
  unsigned shift_ = kFirstIntervalShift;
  std::vector<Row> rows_ = std::vector<Row>(kMostIntervals);
};

}  // namespace gpusim::stats
