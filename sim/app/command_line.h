// SPDX-License-Identifier: MIT
// From the words of the command line to what is to be done.
#pragma once

#include <string>

#include "sim/commands/cli/command_set.h"
#include "sim/commands/cli/common.h"

namespace gpusim::app {

struct CommandLine {
  cli::Action action;
  cli::Common common;
};

/// Throws UsageError: unknown options and commands with the nearest known one, missing or malformed values. `help`
/// becomes what shows the help of the command, such as "gpusim help lab start", also where it throws.
[[nodiscard]] CommandLine parse_command_line(int argc, const char* const* argv, std::string& help);

}  // namespace gpusim::app
