// SPDX-License-Identifier: MIT
// Recorded intervals by warp, and how texts name instructions and warps.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "sim/model/stats/result.h"

namespace gpusim::timeline {

/// One warp's intervals, in order of time; adjacent in Result::watch.
using Row = std::span<const stats::WatchInterval>;

/// In order of kernel, SM and warp slot.
[[nodiscard]] std::vector<Row> rows_of(std::span<const stats::WatchInterval> watch);

/// "w3 0.3": warp slot, CTA, warp of the CTA.
[[nodiscard]] std::string warp_label(const stats::WatchInterval& interval);

/// "line 24: FFMA R7, R2, R3, R7"; "pc 0x0030: ..." where no line is known. What is long is cut.
[[nodiscard]] std::string placed_text(const stats::PcResult& pc);

/// "line 24" or "pc 0x0030".
[[nodiscard]] std::string place_text(const stats::PcResult& pc);

/// Cycles from the beginning of the run's first kernel to that of each kernel, as if none waited for its launch.
[[nodiscard]] std::vector<Cycle> kernel_begins(const stats::Result& result);

}  // namespace gpusim::timeline
