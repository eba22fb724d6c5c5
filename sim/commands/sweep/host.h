// SPDX-License-Identifier: MIT
// What the runner of a sweep gets from the program and its machine.
#pragma once

#include <string>

namespace gpusim::cli {
class ProgressLine;
}  // namespace gpusim::cli

namespace gpusim::sweep {
struct Host;
}  // namespace gpusim::sweep

namespace gpusim::commands {

/// --jobs; all cores for an empty text. Throws UsageError.
[[nodiscard]] unsigned sweep_jobs(const std::string& text);

/// The clock, memory and interruption of this process; progress is drawn on the line.
[[nodiscard]] sweep::Host sweep_host(cli::ProgressLine& line);

}  // namespace gpusim::commands
