// SPDX-License-Identifier: MIT
// How many CTAs of a kernel fit an SM, and which resource says so (NVIDIA's occupancy rules, restated).
#pragma once

#include <cstdint>

#include "sim/arch/arch.h"
#include "sim/stats/result.h"
#include "sim/trace/kernel.h"

namespace gpusim::gpu {

/// Occupancy of the kernel on one SM; ctas_per_sm is 0 when it does not fit. The carve-out chosen is the smallest that
/// does not lower the number of CTAs, as the driver is observed to do; the rest of the unified memory is L1.
[[nodiscard]] stats::Occupancy occupancy(const arch::SmConfig& sm, const trace::Kernel& kernel);

}  // namespace gpusim::gpu
