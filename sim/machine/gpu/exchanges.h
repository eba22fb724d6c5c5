// SPDX-License-Identifier: MIT
// When the SMs of a kernel that is executed hear of each other's stores: at fixed cycles, so that neither the size of
// the windows nor what else ends one matters.
#pragma once

#include <algorithm>

#include "sim/base/types.h"
#include "sim/machine/engine/engine.h"
#include "sim/model/trace/executed.h"

namespace gpusim::gpu {

class Exchanges final : public engine::Sampler {
 public:
  /// Every `period` cycles: no longer than the shortest link, so that what an atomic returns is there before its warp
  /// can go on. `other`: asked as if it were alone; may be null.
  Exchanges(trace::Execution& execution, Cycle period, engine::Sampler* other)
      : execution_(execution), period_(period), other_(other), next_of_other_(other == nullptr ? kNever : 0) {}

  Cycle sample(Cycle now) override {
    if (now >= next_) {
      execution_.exchange();
      next_ = (now / period_ + 1) * period_;
    }
    if (now >= next_of_other_) {
      next_of_other_ = other_->sample(now);
    }
    return std::min(next_, next_of_other_);
  }

 private:
  trace::Execution& execution_;
  Cycle period_;
  engine::Sampler* other_;
  Cycle next_ = 0;
  Cycle next_of_other_;
};

}  // namespace gpusim::gpu
