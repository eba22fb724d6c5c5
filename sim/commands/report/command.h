// SPDX-License-Identifier: MIT
// A saved result, rendered again.
#pragma once

#include <string>

#include "sim/commands/cli/command_set.h"
#include "sim/commands/cli/common.h"
#include "sim/commands/cli/result_files.h"
#include "sim/commands/cli/timelines.h"

namespace gpusim::commands {

struct ReportOptions {
  std::string file;
  cli::ResultPaths files;
  std::string kernel;  ///< regular expression
  std::string format = "text";
  std::string watch;
  std::string why;
  bool details = false;
};

/// Returns the exit code and leaves errors to its caller as exceptions.
[[nodiscard]] int report_command(const ReportOptions& options, const cli::Common& common);

/// Adds the command to the program's.
void add_report_command(cli::CommandSet& commands);

}  // namespace gpusim::commands
