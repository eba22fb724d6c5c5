// SPDX-License-Identifier: MIT
// gpusim disasm: the machine code of compiled kernels as text.
#pragma once

#include <string>

#include "sim/commands/cli/command_set.h"
#include "sim/commands/cli/common.h"

namespace gpusim::commands {

struct DisasmOptions {
  std::string file;
  std::string kernel;
  std::string arch;  ///< "sm_90", "90"; all when empty
  bool control = false;
  bool hex = false;
};

/// Returns the exit code and leaves errors to its caller as exceptions.
[[nodiscard]] int disasm_command(const DisasmOptions& options, const cli::Common& common);

/// Adds the command to the program's.
void add_disasm_command(cli::CommandSet& commands);

}  // namespace gpusim::commands
