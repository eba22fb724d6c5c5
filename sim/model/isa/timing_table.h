// SPDX-License-Identifier: MIT
// What instructions cost on one GPU, by timing class.
#pragma once

#include <array>
#include <cstdint>

#include "sim/base/ratio.h"
#include "sim/model/isa/timing.h"

namespace gpusim::isa {

/// What a timing class costs on one GPU; a class whose times other values decide (sim/model/arch/schema.cc) keeps the
/// ones below. `latency`: cycles from issue until a dependent instruction may issue. `interval`: cycles a warp
/// instruction occupies its sub-core's pipe (32 lanes / lanes of the pipe; a ratio, because Hopper's mma.sync
/// takes 6.25).
struct Timing {
  std::uint32_t latency = 0;
  Ratio interval{1, 1};
  bool supported = true;  ///< false: the GPU has no such instruction (loading a kernel with it is an error)
  friend constexpr bool operator==(const Timing&, const Timing&) = default;
};

using TimingTable = std::array<Timing, kTimingClassCount>;

}  // namespace gpusim::isa
