// SPDX-License-Identifier: MIT
// The sections of the text report of one kernel, in their order on the page. Each returns whole lines.
#pragma once

#include <string>

#include "sim/output/report/text_options.h"
#include "sim/output/view/view.h"

namespace gpusim::report {

/// The findings of advice that promise most; all with --details.
[[nodiscard]] std::string advice_section(const KernelView& view, const TextOptions& options);
/// What-ifs that were simulated; empty without any.
[[nodiscard]] std::string what_if_section(const KernelView& view, const TextOptions& options);
[[nodiscard]] std::string speed_of_light_section(const KernelView& view, const TextOptions& options);
[[nodiscard]] std::string roofline_section(const KernelView& view, const TextOptions& options);
[[nodiscard]] std::string occupancy_section(const KernelView& view, const TextOptions& options);
[[nodiscard]] std::string states_section(const KernelView& view, const TextOptions& options);
[[nodiscard]] std::string lines_section(const KernelView& view, const TextOptions& options);
[[nodiscard]] std::string producers_section(const KernelView& view, const TextOptions& options);
[[nodiscard]] std::string memory_section(const KernelView& view, const TextOptions& options);
[[nodiscard]] std::string divergence_section(const KernelView& view, const TextOptions& options);
/// Pipes, with --details only.
[[nodiscard]] std::string pipes_section(const KernelView& view, const TextOptions& options);

}  // namespace gpusim::report
