// SPDX-License-Identifier: MIT
// When nothing can happen any more and CTAs are left: which warps wait for which, and around which circle.
#pragma once

#include <string>
#include <vector>

#include "sim/base/types.h"
#include "sim/machine/sm/warp_wait.h"

namespace gpusim::trace {
struct Kernel;
}

namespace gpusim::gpu {

/// Warps that wait on one SM.
struct SmWaits {
  std::uint32_t sm = 0;
  std::vector<sm::WarpWait> warps;
};

/// An explanation in words, several lines: the circle of waiting (a warp, the barrier it waits at, the warps that
/// barrier waits for, ...) with opcodes and lines of the trace, or, without a circle, what the first warps wait for.
[[nodiscard]] std::string explain_deadlock(const trace::Kernel& kernel, const std::vector<SmWaits>& waits, Cycle cycle);

}  // namespace gpusim::gpu
