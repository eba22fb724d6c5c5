// SPDX-License-Identifier: MIT
// Control-flow questions about a kernel's edges, answered with Boost.Graph once at load.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sim/model/trace/kernel.h"

namespace gpusim::trace {

/// For each instruction, its immediate post-dominator (an instruction index, or kExitNode when paths only join at the
/// end of the kernel). `count` instructions; every edge's `from` is below it, `to` below it or kExitNode.
/// Instructions from which the exit cannot be reached get kExitNode.
[[nodiscard]] std::vector<std::uint32_t> immediate_post_dominators(std::uint32_t count, std::span<const Edge> edges);

/// First instruction of each basic block, ascending; always contains 0 when count > 0.
[[nodiscard]] std::vector<std::uint32_t> block_leaders(std::uint32_t count, std::span<const Edge> edges);

}  // namespace gpusim::trace
