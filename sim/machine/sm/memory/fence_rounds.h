// SPDX-License-Identifier: MIT
// Fences behind writes that reach beyond the SM, in rounds: the SM has one under way. What comes in the first cycles of
// a round takes part in it; what comes later takes part in the next round, with all that come meanwhile. Kind:
// inferred, from short kernels of which every warp stores and fences (tests/validation/silicon/h100, spans.jsonl.xz):
// eight warps of a CTA take 1,213 cycles longer than without the fence, where one takes 638; without a store eight take
// 681. Owns when the rounds end.
#pragma once

#include <algorithm>
#include <cstdint>

#include "sim/base/types.h"

namespace gpusim::sm {

class FenceRounds {
 public:
  /// `window`: cycles after its beginning in which a round takes fences in.
  explicit FenceRounds(std::uint32_t window) : window_(window) {}

  /// When a fence ends that is issued at `now` and takes `latency` cycles alone. `now` never decreases.
  [[nodiscard]] Cycle end_of(Cycle now, std::uint32_t latency) {
    if (now >= end_ && next_end_ != 0) {  // those that waited have begun the next round
      begin_ = end_;
      end_ = next_end_;
      next_end_ = 0;
    }
    if (now >= end_) {
      begin_ = now;
      return end_ = now + latency;
    }
    if (now <= begin_ + window_) {
      return end_ = std::max(end_, begin_ + latency);
    }
    return next_end_ = std::max(next_end_, end_ + latency);
  }

 private:
  std::uint32_t window_;
  Cycle begin_ = 0;     ///< beginning of the round that is under way, or was last
  Cycle end_ = 0;       ///< its end
  Cycle next_end_ = 0;  ///< end of the round behind it; 0: nobody waits for one
};

}  // namespace gpusim::sm
