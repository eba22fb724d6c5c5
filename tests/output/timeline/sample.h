// SPDX-License-Identifier: MIT
// Two warps of one sub-core, recorded by hand, with round numbers.
#pragma once

#include "sim/model/stats/result.h"

namespace gpusim::timeline {

/// Kernel 1 of two, on SM 2. Warp slot 3 goes through eight states up to its drain; slot 7 waits when the record ends.
[[nodiscard]] stats::Result recorded_result();

}  // namespace gpusim::timeline
