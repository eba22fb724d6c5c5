// SPDX-License-Identifier: MIT
// A Result filled by hand, with round numbers that a reader can check: a kernel of two waves on a GPU of four SMs.
#pragma once

#include "sim/model/stats/result.h"

namespace gpusim::report {

/// 8,000 cycles at 1 GHz (8 us); 100,000 warp-cycles, 20,000 warp instructions, 400 GB/s of 1 TB/s of DRAM.
[[nodiscard]] stats::Result sample_result();

/// One warp over 30 cycles, for timelines.
[[nodiscard]] std::vector<stats::WatchInterval> sample_watch();

}  // namespace gpusim::report
