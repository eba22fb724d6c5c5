// SPDX-License-Identifier: MIT
// Rules on memory, from the coalescer to DRAM.
#pragma once

#include <optional>

#include "sim/output/view/view.h"

namespace gpusim::advice {

[[nodiscard]] std::optional<report::Hit> find_uncoalesced(const report::KernelView& view, double least_excess_pct);
[[nodiscard]] std::optional<report::Hit> find_bank_conflicts(const report::KernelView& view,
                                                             double least_conflicts_pct);
[[nodiscard]] std::optional<report::Hit> find_spills(const report::KernelView& view, double least_time_pct);
[[nodiscard]] std::optional<report::Hit> find_l2_misses(const report::KernelView& view, double most_hit_pct);
[[nodiscard]] std::optional<report::Hit> find_row_misses(const report::KernelView& view, double least_rows_pct);
[[nodiscard]] std::optional<report::Hit> find_busy_network(const report::KernelView& view, double least_busy_pct);
[[nodiscard]] std::optional<report::Hit> find_slow_atomics(const report::KernelView& view, double least_time_pct);
[[nodiscard]] std::optional<report::Hit> find_translations(const report::KernelView& view, double least_miss_pct);

}  // namespace gpusim::advice
