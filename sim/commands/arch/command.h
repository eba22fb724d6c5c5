// SPDX-License-Identifier: MIT
// gpusim arch list | show | check | diff.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/commands/cli/command_set.h"
#include "sim/commands/cli/common.h"

namespace gpusim::commands {

enum class ArchAction : std::uint8_t { kList, kShow, kCheck, kDiff };
struct ArchOptions {
  ArchAction action = ArchAction::kList;
  std::string name;
  std::string other;  ///< for diff: the second GPU
  std::vector<std::string> set;
  std::string format = "text";
};

/// Returns the exit code and leaves errors to its caller as exceptions.
[[nodiscard]] int arch_command(const ArchOptions& options, const cli::Common& common);

/// Adds the command to the program's.
void add_arch_command(cli::CommandSet& commands);

}  // namespace gpusim::commands
