// SPDX-License-Identifier: MIT
// Runs a whole grid without time: CTAs in order, the warps of a CTA in turn. The same results every time.
#pragma once

#include <cstdint>

#include "sim/exec/core/image.h"
#include "sim/exec/memory/global_port.h"

namespace gpusim::exec {

struct RunLimits {
  /// Warp instructions of the whole grid, after which the kernel is taken to run forever.
  std::uint64_t warp_instructions = 20'000'000'000;
};

struct RunCounts {
  std::uint64_t warp_instructions = 0;
  std::uint64_t thread_instructions = 0;
};

/// Throws InputError for what the kernel may not do, CannotFinishError when its warps wait for each other, or when the
/// limit is reached: then it names the loop.
RunCounts run_grid(const Image& image, GlobalPort& global, const RunLimits& limits = {});

}  // namespace gpusim::exec
