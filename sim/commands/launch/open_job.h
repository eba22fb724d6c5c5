// SPDX-License-Identifier: MIT
// What commands that simulate are given, so that they execute compiled kernels without a word on how.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "sim/commands/cli/kernel_job.h"

namespace gpusim::commands {

/// A Job for the GPU that an architecture describes, as commands that simulate take it.
[[nodiscard]] std::unique_ptr<cli::KernelJob> open_job(const cli::LaunchOptions& options,
                                                       const std::vector<std::string>& params,
                                                       const cli::KernelName& name, const arch::Arch& gpu,
                                                       const cli::Announce& tell);

}  // namespace gpusim::commands
