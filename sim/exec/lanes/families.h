// SPDX-License-Identifier: MIT
// The families of instructions that calculate: for each lane by itself, vectorised across lanes.
#pragma once

#include <span>
#include <vector>

#include "sim/exec/core/lowering.h"

namespace gpusim::exec {

/// For every x86-64 or other processor.
namespace baseline {
[[nodiscard]] std::vector<std::span<const LowerRow>> families();
}

/// The same for processors with AVX2 and FMA.
namespace wide {
[[nodiscard]] std::vector<std::span<const LowerRow>> families();
}

/// Those for this processor. Both give the same results.
[[nodiscard]] std::vector<std::span<const LowerRow>> lane_families();

}  // namespace gpusim::exec
