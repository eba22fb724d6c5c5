// SPDX-License-Identifier: MIT
// gpusim app: how long a step of an application takes on a system, and what bounds it.
#pragma once

#include <string>
#include <vector>

#include "sim/commands/cli/command_set.h"
#include "sim/commands/cli/common.h"

namespace gpusim::commands {

struct AppOptions {
  std::string file;
  std::string system;
  std::vector<std::string> set;  ///< KEY=VALUE
  std::string format = "text";
  std::string timeline;  ///< file
  std::string html;      ///< file
  std::string chakra;    ///< folder
  std::string database;  ///< file, or "none"; empty: the usual one
  std::string threads = "all";
  bool whole = false;
};

/// Returns the exit code and leaves errors to its caller as exceptions.
[[nodiscard]] int app_command(const AppOptions& options, const cli::Common& common);

/// Adds the command to the program's.
void add_app_command(cli::CommandSet& commands);

}  // namespace gpusim::commands
