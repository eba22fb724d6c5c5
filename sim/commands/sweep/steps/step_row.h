// SPDX-License-Identifier: MIT
// A step as a point of a sweep.
#pragma once

#include "sim/commands/sweep/store/point.h"

namespace gpusim::app {
struct Report;
}  // namespace gpusim::app

namespace gpusim::sweep {

/// Marks the row as done. Its time is that of the step, its cycles are the step's nanoseconds, its bound is the cause
/// that takes most of the step ("compute", "launch_gaps"), and its metrics are shares of the causes (compute_pct), what
/// the first GPU was used for (gpu_busy_pct, sm_active_pct, tensor_active_pct, dram_active_pct, mfu_pct), and the most
/// memory that any GPU held (peak_allocated_bytes, peak_reserved_bytes).
void summarize_step(const app::Report& report, PointRow& row);

/// The same names with numbers of no step: to check what asks for them.
void pretend_step(PointRow& row);

}  // namespace gpusim::sweep
