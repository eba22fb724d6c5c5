// SPDX-License-Identifier: MIT
// The instruction for whose result a stall count waits. The hardware does not know it; a reader of a report wants to.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sim/machine/lower/kernel_image.h"

namespace gpusim::trace {
struct Kernel;
}  // namespace gpusim::trace

namespace gpusim::lower {

/// By instruction: of the fixed-latency instructions before it in its basic block whose result it reads, the one whose
/// result is there last; where it reads none, the instruction right before it, whose stall count it is. kNoProducer for
/// the first of a block that reads none. `guard_extra`: cycles that a predicate is later for what it guards.
[[nodiscard]] std::vector<std::uint32_t> find_wait_producers(const trace::Kernel& kernel, std::span<const WarpOp> ops,
                                                             std::uint32_t guard_extra);

}  // namespace gpusim::lower
