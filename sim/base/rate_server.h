// SPDX-License-Identifier: MIT
// What happens at an exact ratio of cycles: cycles of one clock as another's, and servers of so many units a cycle.
#pragma once

#include <cassert>
#include <cstdint>

#include "sim/base/divider.h"
#include "sim/base/ratio.h"
#include "sim/base/types.h"

namespace gpusim {

/// Converts whole cycles of one clock to another's, rounding up to the receiver's next edge. Exact for times
/// below 2^63 receiver cycles (128-bit intermediate).
class ClockConverter {
 public:
  constexpr ClockConverter() = default;
  /// Frequencies in hertz, both above zero.
  constexpr ClockConverter(std::uint64_t from_hz, std::uint64_t to_hz) : ratio_(Ratio::of(to_hz, from_hz)) {
    if (ratio_.denominator <= Divider::kMostDivisor) {
      by_denominator_ = Divider(ratio_.denominator);
      short_below_ = (~std::uint64_t{0} - ratio_.denominator) / ratio_.numerator;
    }
  }
  [[nodiscard]] constexpr Cycle convert(Cycle from) const {
    if (from < short_below_) {
      return by_denominator_.quotient(from * ratio_.numerator + (ratio_.denominator - 1));
    }
    __extension__ using Wide = unsigned __int128;
    const Wide scaled = Wide{from} * ratio_.numerator + (ratio_.denominator - 1);
    return static_cast<Cycle>(scaled / ratio_.denominator);
  }

 private:
  Ratio ratio_;
  Divider by_denominator_;
  Cycle short_below_ = 0;  ///< cycles for which 64 bits suffice
};

/// A server that takes `interval` (a ratio of cycles) per unit and carries the remainder, so that the long-run
/// rate is exact although every start is a whole cycle.
class RateServer {
 public:
  constexpr RateServer() = default;
  constexpr explicit RateServer(Ratio cycles_per_unit)
      : cycles_(cycles_per_unit.numerator), per_units_(cycles_per_unit.denominator) {}

  /// The first whole cycle at which the server is free, not before `now`.
  [[nodiscard]] constexpr Cycle free_at(Cycle now) const { return now < free_ ? free_ : now; }
  [[nodiscard]] constexpr bool is_free(Cycle now) const { return now >= free_; }

  /// What so many units take at least, rounded up.
  [[nodiscard]] constexpr Cycle cycles_of(std::uint64_t units) const {
    return per_units_.quotient(cycles_ * units + per_units_.divisor() - 1);
  }

  /// Takes the server for `units` from cycle `start` >= free_at(start); returns the cycle at which it is free again.
  constexpr Cycle take(Cycle start, std::uint64_t units) {
    assert(start >= free_);
    if (per_units_.divisor() == 1) {
      free_ = start + cycles_ * units;  // whole cycles: nothing is owed, and nothing is divided
      return free_;
    }
    if (start > free_) {
      remainder_ = 0;  // an idle server has no debt to carry
    }
    const std::uint64_t total = cycles_ * units + remainder_;
    // Rounded down: the fraction is owed by the next item that starts without a pause, so the rate is exact.
    const std::uint64_t whole = per_units_.quotient(total);
    remainder_ = total - whole * per_units_.divisor();
    free_ = start + whole;
    return free_;
  }

 private:
  std::uint64_t cycles_ = 1;  ///< cycles that per_units_ units take
  Divider per_units_;
  Cycle free_ = 0;
  std::uint64_t remainder_ = 0;
};

}  // namespace gpusim
