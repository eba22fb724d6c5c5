// SPDX-License-Identifier: MIT
// The main job: simulate, then explain.
#pragma once

#include <string>
#include <vector>

#include "sim/commands/cli/command_set.h"
#include "sim/commands/cli/common.h"
#include "sim/commands/cli/kernel_job.h"
#include "sim/commands/cli/launch_options.h"
#include "sim/commands/cli/result_files.h"

namespace gpusim::commands {

struct RunOptions {
  std::string arch;
  std::string trace;
  std::string kernel_file;    ///< compiled kernels, in place of a trace
  cli::LaunchOptions launch;  ///< for compiled kernels
  std::vector<std::string> set;
  std::vector<std::string> param;
  std::string kernel;  ///< regular expression; of a compiled file the kernel
  std::string ctas;
  std::string cache = "warm";
  std::string threads = "all";
  std::string format = "text";
  cli::ResultPaths files;
  std::string watch;
  std::string advise;  ///< empty: no; "found" or "all"
  std::vector<std::string> record;
  std::string why;
  std::string max_cycles;
  std::string max_warp_instructions;
  bool sustained_clock = false;
  bool test_params = false;
  bool details = false;
};

/// Returns the exit code and leaves errors to its caller as exceptions. `open_job` is for compiled kernels.
[[nodiscard]] int run_command(const RunOptions& options, cli::OpenJob open_job, const cli::Common& common);

/// Adds the command to the program's.
void add_run_command(cli::CommandSet& commands, cli::OpenJob open_job);

}  // namespace gpusim::commands
