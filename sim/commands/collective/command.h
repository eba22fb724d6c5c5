// SPDX-License-Identifier: MIT
// gpusim collective: the table of nccl-tests, calculated for a system; or a measured one beside it.
#pragma once

#include <string>
#include <vector>

#include "sim/commands/cli/command_set.h"
#include "sim/commands/cli/common.h"

namespace gpusim::commands {

struct CollectiveOptions {
  std::string system;
  std::vector<std::string> set;  ///< KEY=VALUE
  std::string of;
  std::string bytes;
  std::string gpus;
  std::string algorithm;
  std::string protocol;
  std::string library = "nccl";
  std::string launch;    ///< empty: that of the library
  std::string measured;  ///< file
  std::string format = "text";
};

/// Returns the exit code and leaves errors to its caller as exceptions.
[[nodiscard]] int collective_command(const CollectiveOptions& options, const cli::Common& common);

/// Adds the command to the program's.
void add_collective_command(cli::CommandSet& commands);

}  // namespace gpusim::commands
