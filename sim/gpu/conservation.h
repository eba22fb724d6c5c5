// SPDX-License-Identifier: MIT
// What must add up in every finished run, whatever the kernel and the machine.
#pragma once

#include <string>

#include "sim/stats/result.h"

namespace gpusim::gpu {

/// The first law that a complete kernel's numbers break, with both sides; empty when all hold:
/// warp states sum to warp-cycles, instructions by program counter to the total, sectors looked up are hits and misses,
/// sectors asked of a level are those it answered, bytes of DRAM are the sectors L2 moved.
[[nodiscard]] std::string conservation_problem(const stats::KernelResult& kernel);

}  // namespace gpusim::gpu
