// SPDX-License-Identifier: MIT
// Simulated against measured silicon: which cases, and what is printed of them.
#pragma once

#include <string>

#include "sim/commands/cli/command_set.h"
#include "sim/commands/cli/common.h"

namespace gpusim::commands {

struct ValidateOptions {
  std::string suite;  ///< empty: all
  std::string cases;  ///< file or folder, instead of a suite
  std::string arch;
  std::string filter;     ///< regular expression
  std::string max_error;  ///< per cent
  std::string format = "text";
  std::string resume;  ///< a file that keeps what was simulated
  std::string json;    ///< a file for the cases as JSON, beside what is printed
  bool details = false;
  bool all = false;  ///< slow cases too
};

/// Returns the exit code and leaves errors to its caller as exceptions.
[[nodiscard]] int validate_command(const ValidateOptions& options, const cli::Common& common);

/// Adds the command to the program's.
void add_validate_command(cli::CommandSet& commands);

}  // namespace gpusim::commands
