// SPDX-License-Identifier: MIT
// The program from arguments to exit code.
#pragma once

namespace gpusim::app {

/// Exit codes, the same for every command.
enum Exit : int {
  kDone = 0,
  kUsage = 1,         ///< wrong command line
  kBadInput = 2,      ///< a file, a trace, an architecture, an output that cannot be written
  kCannotFinish = 3,  ///< nothing can progress, or a limit was met
  kOurFault = 4,
  kMissed = 5  ///< a threshold; beyond it: interrupt_code()
};

/// Runs the command; never throws.
[[nodiscard]] int run_program(int argc, const char* const* argv) noexcept;

}  // namespace gpusim::app
