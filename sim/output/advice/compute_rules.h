// SPDX-License-Identifier: MIT
// Rules on what warps issue: idle lanes, pipes, instruction fetch, and what they wait for.
#pragma once

#include <optional>

#include "sim/output/view/view.h"

namespace gpusim::advice {

[[nodiscard]] std::optional<report::Hit> find_idle_lanes(const report::KernelView& view, double fewest_lanes);
[[nodiscard]] std::optional<report::Hit> find_main_stall(const report::KernelView& view, double least_share_pct);
[[nodiscard]] std::optional<report::Hit> find_busy_pipe(const report::KernelView& view, double least_busy_pct);
[[nodiscard]] std::optional<report::Hit> find_fp64(const report::KernelView& view, double least_busy_pct);
[[nodiscard]] std::optional<report::Hit> find_unfused(const report::KernelView& view, double least_saved_pct);
[[nodiscard]] std::optional<report::Hit> find_fetch_misses(const report::KernelView& view, double least_share_pct);

}  // namespace gpusim::advice
