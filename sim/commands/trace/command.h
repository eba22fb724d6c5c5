// SPDX-License-Identifier: MIT
// gpusim trace info | check | dump | make | import | export.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/commands/cli/command_set.h"
#include "sim/commands/cli/common.h"
#include "sim/commands/cli/launch_options.h"

namespace gpusim::commands {

enum class TraceAction : std::uint8_t { kInfo, kCheck, kDump, kMake };
struct TraceOptions {
  TraceAction action = TraceAction::kInfo;
  std::string name;
  std::vector<std::string> param;
  bool test_params = false;
  std::string kernel;
  std::string cta;               ///< for dump: the CTA whose warp is shown
  std::string warp;              ///< in the CTA
  std::string most;              ///< steps shown
  std::string max_instructions;  ///< for check: the most warp instructions of a kernel that are walked
  std::string format = "text";
  std::string output;  ///< for make: the file that is written
  bool list = false;   ///< for make: list the kernels
};

struct TraceImportOptions {
  std::string name;
  std::string output;  ///< file
  bool list = false;   ///< the kernels of compiled code instead
  cli::LaunchOptions launch;
  std::string arch;  ///< for compiled code: the GPU it is for
  std::vector<std::string> param;
  std::string max_warp_instructions;

  /// Whether it is compiled code with a launch.
  [[nodiscard]] bool is_launch() const { return launch.any(); }
};

struct TraceExportOptions {
  std::string name;
  std::vector<std::string> param;
  bool test_params = false;
  std::string kernel;  ///< regular expression
  std::string ctas;
  std::string output;  ///< folder
  std::string reader;  ///< "accel-sim": who must be able to read it; empty: gpusim
};

/// Each returns the exit code and leaves errors to its caller as exceptions.
[[nodiscard]] int trace_command(const TraceOptions& options, const cli::Common& common);
[[nodiscard]] int list_kernels_command(const TraceImportOptions& options, const cli::Common& common);
[[nodiscard]] int import_launch_command(const TraceImportOptions& options, const cli::Common& common);
[[nodiscard]] int trace_import_command(const TraceImportOptions& options, const cli::Common& common);
[[nodiscard]] int trace_export_command(const TraceExportOptions& options, const cli::Common& common);

/// Adds the commands to the program's.
void add_trace_commands(cli::CommandSet& commands);

}  // namespace gpusim::commands
