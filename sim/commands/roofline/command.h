// SPDX-License-Identifier: MIT
// What bounds work of given FLOPs and bytes: points of the user, operations of transformers, kernels of a result.
#pragma once

#include <string>
#include <vector>

#include "sim/commands/cli/command_set.h"
#include "sim/commands/cli/common.h"

namespace gpusim::commands {

struct RooflineOptions {
  std::string arch;
  std::vector<std::string> set;
  std::vector<std::string> flops;  ///< one per point, as are bytes and, if any, names
  std::vector<std::string> bytes;
  std::vector<std::string> names;
  std::string type;
  bool sparse = false;
  std::string level = "dram";
  std::string clock = "vendor";
  bool operations = false;
  std::vector<std::string> shape;  ///< sizes of the operations, in the order of roofline::shape_fields()
  std::string result;              ///< file
  std::string format = "text";
  bool details = false;
};

/// Returns the exit code and leaves errors to its caller as exceptions.
[[nodiscard]] int roofline_command(const RooflineOptions& options, const cli::Common& common);

/// Adds the command to the program's.
void add_roofline_command(cli::CommandSet& commands);

}  // namespace gpusim::commands
