// SPDX-License-Identifier: MIT
// Kernels in CUDA with their launches, and what they calculate. Internal to the module.
#pragma once

#include <memory>
#include <string_view>

#include "sim/code/launch/request.h"
#include "sim/commands/lab/check/judge.h"
#include "sim/commands/lab/run/job.h"
#include "sim/commands/launch/job.h"

namespace gpusim::lab {

/// Whether a launch file has a number of this name.
[[nodiscard]] bool has_number(const launch::Request& request, std::string_view name);

/// The kernel of a job that has a launch, with its buffers filled. Throws InputError.
[[nodiscard]] std::unique_ptr<commands::Job> launched(const Job& job);

/// Executes both, and compares what their buffers hold then, by name: numbers with a fraction may differ by as much as
/// sums in another order do. Throws InputError for what a kernel may not do, CannotFinishError when it does not end.
[[nodiscard]] Work compare_values(commands::Job& own, commands::Job& like);

}  // namespace gpusim::lab
