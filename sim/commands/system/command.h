// SPDX-License-Identifier: MIT
// gpusim system list | show | check.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/commands/cli/command_set.h"
#include "sim/commands/cli/common.h"

namespace gpusim::commands {

enum class SystemAction : std::uint8_t { kList, kShow, kCheck };
struct SystemOptions {
  SystemAction action = SystemAction::kList;
  std::string name;
  std::string format = "text";
  std::vector<std::string> set;  ///< KEY=VALUE, for kShow
  bool details = false;
};

/// Returns the exit code and leaves errors to its caller as exceptions.
[[nodiscard]] int system_command(const SystemOptions& options, const cli::Common& common);

/// Adds the commands to the program's.
void add_system_command(cli::CommandSet& commands);

}  // namespace gpusim::commands
