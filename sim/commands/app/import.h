// SPDX-License-Identifier: MIT
// gpusim app import: an application from a trace of PyTorch's profiler, of Nsight Systems, or of Chakra.
#pragma once

#include <string>

#include "sim/commands/cli/command_set.h"
#include "sim/commands/cli/common.h"

namespace gpusim::commands {

struct ImportAppOptions {
  std::string trace;
  std::string ranks;   ///< for a Chakra trace: how many do the same; empty: one, or those of the files beside it
  std::string output;  ///< file; empty: printed
};

/// Returns the exit code and leaves errors to its caller as exceptions.
[[nodiscard]] int import_app_command(const ImportAppOptions& options, const cli::Common& common);

/// Adds the command below `app`.
void add_import_app_command(cli::CommandSet& commands, CLI::App& app);

}  // namespace gpusim::commands
