// SPDX-License-Identifier: MIT
// From the options of a launch, and its file, to what is asked for.
#pragma once

#include <string>
#include <vector>

#include "sim/code/launch/request.h"

namespace gpusim::cli {
struct KernelName;
struct LaunchOptions;
}  // namespace gpusim::cli

namespace gpusim::commands {

/// What the options ask for, `params` ("NAME=VALUE") among them; what is said here wins over the launch file. Throws
/// UsageError for what is not of an option's form, InputError for the launch file.
[[nodiscard]] launch::Request request_of(const cli::LaunchOptions& options, const std::vector<std::string>& params,
                                         const cli::KernelName& name);

}  // namespace gpusim::commands
