// SPDX-License-Identifier: MIT
// gpusim exec: executes compiled kernels without time, and checks what they calculate.
#pragma once

#include <string>
#include <vector>

#include "sim/commands/cli/command_set.h"
#include "sim/commands/cli/common.h"
#include "sim/commands/cli/launch_options.h"

namespace gpusim::commands {

struct ExecOptions {
  std::string kernel;  ///< "saxpy.cubin:saxpy"
  std::string arch;
  std::vector<std::string> param;
  std::string max_instructions;
  std::string max_warp_instructions;
  bool check = false;
  cli::LaunchOptions launch;
};

/// Returns the exit code and leaves errors to its caller as exceptions.
[[nodiscard]] int exec_command(const ExecOptions& options, const cli::Common& common);

/// Adds the command to the program's.
void add_exec_command(cli::CommandSet& commands);

}  // namespace gpusim::commands
