// SPDX-License-Identifier: MIT
// The calls of a thread, one after the other, with repeats and ranges unfolded.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "sim/system/application/application.h"

namespace gpusim::run {

/// A range of the thread that has ended.
struct EndedRange {
  const application::Range* range = nullptr;
  double begin = 0;
};

class ThreadWalk {
 public:
  ThreadWalk() = default;
  explicit ThreadWalk(const application::Calls& calls) : calls_(&calls) {}

  /// Begins again.
  void start_round() { frames_.push_back({calls_, 0, 1, {}}); }
  /// The next call that is neither a repeat nor a range; null at the end of the round. Ranges that end on the way are
  /// added to `ended`.
  [[nodiscard]] const application::Call* next(double now, std::vector<EndedRange>& ended);
  /// Names of the ranges that are open, the outermost first: "backward > layer 3".
  [[nodiscard]] std::string ranges() const;
  /// Steps taken since it was made, repeats included: what a run that never ends has too many of.
  [[nodiscard]] std::uint64_t steps() const { return steps_; }

 private:
  struct Frame {
    const application::Calls* calls = nullptr;
    std::size_t at = 0;
    std::uint64_t left = 1;  ///< times, this one included
    EndedRange range;
  };
  const application::Calls* calls_ = nullptr;
  std::vector<Frame> frames_;
  std::uint64_t steps_ = 0;
};

}  // namespace gpusim::run
