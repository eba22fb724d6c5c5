// SPDX-License-Identifier: MIT
// Rules on the launch: its size, its CTAs, and how many of them an SM holds.
#pragma once

#include <optional>

#include "sim/output/view/view.h"

namespace gpusim::advice {

[[nodiscard]] std::optional<report::Hit> find_launch_bound(const report::KernelView& view, double least_share_pct);
[[nodiscard]] std::optional<report::Hit> find_small_grid(const report::KernelView& view, double least_ctas_per_sm);
[[nodiscard]] std::optional<report::Hit> find_tail(const report::KernelView& view, double least_idle_pct);
[[nodiscard]] std::optional<report::Hit> find_partial_warps(const report::KernelView& view, double least_idle_pct);
[[nodiscard]] std::optional<report::Hit> find_low_occupancy(const report::KernelView& view,
                                                            double least_theoretical_pct);
[[nodiscard]] std::optional<report::Hit> find_unreached_occupancy(const report::KernelView& view,
                                                                  double least_gap_points);
[[nodiscard]] std::optional<report::Hit> find_sm_imbalance(const report::KernelView& view, double least_gap_pct);

}  // namespace gpusim::advice
