// SPDX-License-Identifier: MIT
// Cycles during which something held, such as a full queue, added up over any number of things for which it may hold
// at a time.
#pragma once

#include <cassert>
#include <cstdint>

#include "sim/base/types.h"

namespace gpusim {

/// The begin of a span is subtracted from a sum and its end added to it, so that nobody has to keep when it began.
class OpenSpans {
 public:
  /// It holds for one more, from now on.
  void begin(Cycle now) {
    ++open_;
    sum_ -= now;
  }
  /// It holds for one less.
  void end(Cycle now) {
    assert(open_ > 0);
    --open_;
    sum_ += now;
  }
  /// For a single thing: whether it holds from now on.
  void hold(bool holds, Cycle now) {
    if (holds != any()) {
      holds ? begin(now) : end(now);
    }
  }
  [[nodiscard]] bool any() const { return open_ != 0; }
  /// The sum of the lengths of all spans. A span that is still open counts up to `end`, which is not before the last
  /// begin().
  [[nodiscard]] std::uint64_t cycles(Cycle end) const { return sum_ + open_ * end; }

 private:
  std::uint64_t open_ = 0;
  std::uint64_t sum_ = 0;  ///< wraps below zero while spans are open
};

}  // namespace gpusim
