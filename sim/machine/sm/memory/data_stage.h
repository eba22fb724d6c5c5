// SPDX-License-Identifier: MIT
// The stage that all accesses of an SM pass one after the other: the banks that L1 and shared memory have in common.
// Owns the cycle from which it is free.
#pragma once

#include <algorithm>

#include "sim/base/types.h"

namespace gpusim::sm {

class DataStage {
 public:
  [[nodiscard]] Cycle free_at() const { return free_at_; }
  [[nodiscard]] bool is_free(Cycle now) const { return free_at_ <= now; }
  /// An access that began at `now` takes it for `cycles`.
  void occupy(Cycle now, Cycle cycles) { free_at_ = std::max(free_at_, now + cycles); }
  /// Data from elsewhere takes it for `cycles` as soon as it is free, before the accesses that wait. Returns when it is
  /// through.
  Cycle take(Cycle now, Cycle cycles) {
    free_at_ = std::max(free_at_, now) + cycles;
    return free_at_;
  }

 private:
  Cycle free_at_ = 0;
};

}  // namespace gpusim::sm
