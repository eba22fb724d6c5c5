// SPDX-License-Identifier: MIT
// What the runner of a sweep gets from the program and its machine.
#pragma once

#include <string>

#include "sim/commands/cli/progress.h"
#include "sim/commands/sweep/run/run.h"

namespace gpusim::commands {

/// --jobs; all cores for an empty text. Throws UsageError.
[[nodiscard]] unsigned sweep_jobs(const std::string& text);

/// The clock, memory and interruption of this process; progress is drawn on the line.
[[nodiscard]] sweep::Host sweep_host(cli::ProgressLine& line);

}  // namespace gpusim::commands
