// SPDX-License-Identifier: MIT
// gpusim help: what each command does, the man page, and completions of shells.
#pragma once

#include <string>
#include <vector>

#include "sim/commands/cli/command_set.h"

namespace gpusim::commands {

/// Adds the command to the program's.
void add_help_command(cli::CommandSet& commands);

/// Prints a text, such as the help, and is done.
[[nodiscard]] cli::Action show(const std::string& text);

/// The help of a command, as wide as the terminal and at most a page.
[[nodiscard]] std::string help_of(const CLI::App& command);

}  // namespace gpusim::commands
