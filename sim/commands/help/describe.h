// SPDX-License-Identifier: MIT
// Reads the manual from the tree of commands that CLI11 parses with.
#pragma once

#include "sim/commands/help/manual.h"

namespace CLI {
class App;
}  // namespace CLI

namespace gpusim::manual {

/// The command and all commands below it.
[[nodiscard]] Command describe(const CLI::App& app);

}  // namespace gpusim::manual
