// SPDX-License-Identifier: MIT
// Values of --record: what a run keeps besides its counts.
#pragma once

#include <string>
#include <vector>

namespace gpusim::gpu {
struct SimulateOptions;
}  // namespace gpusim::gpu

namespace gpusim::commands {

/// Puts what the values ask for into `options`. Each value is a list, "warps=0:100..200,warps=3". Throws UsageError for
/// what cannot be recorded, and for an SM that is named twice.
void parse_record(const std::vector<std::string>& values, gpu::SimulateOptions& options);

/// What --record takes, for the help.
[[nodiscard]] std::string recordable();

}  // namespace gpusim::commands
