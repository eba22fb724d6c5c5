// SPDX-License-Identifier: MIT
// gpusim app make: writes an application.
#pragma once

#include <string>

#include "sim/commands/app/kinds/kinds.h"
#include "sim/commands/cli/command_set.h"
#include "sim/commands/cli/common.h"

namespace gpusim::commands {

struct MakeAppOptions {
  app::KindOptions what;
  bool sequence_parallel = false;
  bool clip_gradients = false;
  std::string output;  ///< file; empty: printed
};

/// Returns the exit code and leaves errors to its caller as exceptions.
[[nodiscard]] int make_app_command(const MakeAppOptions& options, const cli::Common& common);

/// Adds the command below `app`.
void add_make_app_command(cli::CommandSet& commands, CLI::App& app);

}  // namespace gpusim::commands
