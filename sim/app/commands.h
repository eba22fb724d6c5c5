// SPDX-License-Identifier: MIT
// The tree of commands.
#pragma once

#include "sim/commands/cli/command_set.h"

namespace gpusim::app {

/// Adds every command of gpusim, and what its help says besides.
void add_all_commands(cli::CommandSet& set);

}  // namespace gpusim::app
