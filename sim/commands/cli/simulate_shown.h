// SPDX-License-Identifier: MIT
// A simulation as commands run it: on the host's threads, with a line of progress, and with what it took.
#pragma once

#include <string>
#include <string_view>

namespace gpusim::arch {
struct Arch;
}  // namespace gpusim::arch
namespace gpusim::gpu {
struct SimulateOptions;
}  // namespace gpusim::gpu
namespace gpusim::stats {
struct Result;
}  // namespace gpusim::stats
namespace gpusim::trace {
struct Trace;
}  // namespace gpusim::trace

namespace gpusim::cli {

/// The value of --threads: a number, or "all" for as many as the host has.
[[nodiscard]] unsigned host_threads(const std::string& text);

/// Simulates until it is done or interrupted() is true; the result says which. The progress shows `what`, if any, in
/// place of the kernels' names.
[[nodiscard]] stats::Result simulate_shown(const arch::Arch& arch, const trace::Trace& trace,
                                           gpu::SimulateOptions options, bool show_progress,
                                           std::string_view what = {});

}  // namespace gpusim::cli
