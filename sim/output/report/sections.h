// SPDX-License-Identifier: MIT
// The sections of the text report, in their order on the page. Each returns whole lines.
#pragma once

#include <string>

#include "sim/output/report/text_options.h"
#include "sim/output/view/view.h"

namespace gpusim::report {

/// The kernels of a run, those that take longest where there are many, and their total.
[[nodiscard]] std::string kernels_section(const View& view, const TextOptions& options);
/// The same by name, as the profiler's summary of kernels; empty where no name repeats.
[[nodiscard]] std::string kernel_names_section(const View& view, const TextOptions& options);

// The sections of one kernel.
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
