// SPDX-License-Identifier: MIT
// Compiled kernels where a trace is asked for: which options name one, and what does not go with it.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "sim/commands/cli/kernel_job.h"

namespace gpusim::arch {
struct Arch;
}  // namespace gpusim::arch
namespace gpusim::cli {
struct OutputPath;
}  // namespace gpusim::cli

namespace gpusim::commands {

struct RunOptions;

/// Whether the options name compiled kernels rather than a trace. Throws UsageError for options of a launch beside a
/// trace.
[[nodiscard]] bool is_compiled_run(const RunOptions& options);

/// The kernels with their launches, for this GPU. Throws UsageError for options that do not go with compiled kernels,
/// InputError for everything else, also when one of `outputs` would replace a file that is read. `open_job` makes
/// them, and `tell` hears of it.
[[nodiscard]] std::unique_ptr<cli::KernelJob> compiled_job(const RunOptions& options, const arch::Arch& arch,
                                                           std::span<const cli::OutputPath> outputs,
                                                           cli::OpenJob open_job, const cli::Announce& tell);

/// What the user called it, for results.
[[nodiscard]] std::string compiled_name(const RunOptions& options);

}  // namespace gpusim::commands
