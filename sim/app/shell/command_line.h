// SPDX-License-Identifier: MIT
// From the words of the command line to what is to be done.
#pragma once

#include <string>

#include "sim/commands/cli/command_set.h"
#include "sim/commands/cli/common.h"
#include "sim/commands/cli/kernel_job.h"
#include "sim/commands/cli/load_trace.h"

namespace gpusim::app {

/// What a program offers.
struct Program {
  /// Adds all its commands.
  void (*declare)(cli::CommandSet& set);
  /// Makes compiled kernels for the main job.
  cli::OpenJob open_job;
  /// Reads traces that are not text.
  cli::LoadOther load_other;
  /// Shows what a command does.
  cli::Action (*show_help)(const CLI::App& command);
};

struct CommandLine {
  cli::Action action;
  cli::Common common;
};

/// Whether every word is an option or its value: then it is the main job, unless the parser says otherwise.
[[nodiscard]] bool looks_like_main_job(int argc, const char* const* argv);

/// Throws UsageError: unknown options and commands with the nearest known one, missing or malformed values. `help`
/// becomes what shows the help of the command, such as "gpusim help lab start", also where it throws.
[[nodiscard]] CommandLine parse_command_line(int argc, const char* const* argv, const Program& program,
                                             std::string& help);

}  // namespace gpusim::app
