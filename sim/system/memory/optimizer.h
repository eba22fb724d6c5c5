// SPDX-License-Identifier: MIT
// What an optimizer keeps of each tensor of parameters, and what it needs while it runs.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/system/memory/plan.h"
#include "sim/system/memory/widths.h"

namespace gpusim::memory {

/// Bytes of each state of a tensor, with a master copy of its weights where there is one.
[[nodiscard]] std::vector<std::uint64_t> state_bytes(Optimizer optimizer, const Widths& widths, std::uint64_t elements);

/// Bytes of temporaries that a step makes for all parameters together.
[[nodiscard]] std::uint64_t scratch_bytes(Optimizer optimizer, const Widths& widths, std::uint64_t elements);

}  // namespace gpusim::memory
