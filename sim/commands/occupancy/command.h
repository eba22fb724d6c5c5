// SPDX-License-Identifier: MIT
// gpusim occupancy: one launch on one GPU, the kernels of a trace, or a file of launches.
#pragma once

#include <string>
#include <vector>

#include "sim/commands/cli/command_set.h"
#include "sim/commands/cli/common.h"

namespace gpusim::commands {

struct OccupancyOptions {
  std::string arch;
  std::string registers;
  std::string block;
  std::string shared;  ///< "S" or "S+D"
  std::string carveout;
  std::string barriers;
  std::string cluster;
  bool opt_in = true;
  std::vector<std::string> set;
  std::string format = "text";
  std::string trace;  ///< file: its kernels instead of one launch
  std::vector<std::string> param;
  bool test_params = false;
  std::string kernel;  ///< regular expression
  std::string batch;   ///< file
  std::string output;  ///< file, of the batch
};

/// Returns the exit code and leaves errors to its caller as exceptions.
[[nodiscard]] int occupancy_command(const OccupancyOptions& options, const cli::Common& common);

/// Adds the command to the program's.
void add_occupancy_command(cli::CommandSet& commands);

}  // namespace gpusim::commands
