// SPDX-License-Identifier: MIT
// gpusim help: what each command does, the man page, and completions of shells.
#pragma once

#include <string>
#include <vector>

#include "sim/commands/cli/command_set.h"

namespace gpusim::commands {

/// Adds the command to the program's.
void add_help_command(cli::CommandSet& commands);

/// Shows the help of a command, as wide as the terminal and at most a page.
[[nodiscard]] cli::Action show_help(const CLI::App& command);

}  // namespace gpusim::commands
