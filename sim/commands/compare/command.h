// SPDX-License-Identifier: MIT
// Results beside each other: saved ones, and ones simulated for it.
#pragma once

#include <string>
#include <vector>

namespace gpusim::cli {
class CommandSet;
struct Common;
}  // namespace gpusim::cli

namespace gpusim::commands {

struct CompareOptions {
  std::vector<std::string> results;  ///< files
  std::vector<std::string> arch;     ///< NAME, or NAME:KEY=VALUE,...
  std::vector<std::string> trace;    ///< NAME, or NAME:PARAMETER=VALUE,...
  std::vector<std::string> set;
  std::vector<std::string> param;
  std::vector<std::string> fail_if;
  std::string cache = "warm";
  std::string threads = "all";
  std::string format = "text";
  std::string json;  ///< file
  std::string html;  ///< file
  bool test_params = false;
  bool details = false;
};

/// Returns the exit code and leaves errors to its caller as exceptions.
[[nodiscard]] int compare_command(const CompareOptions& options, const cli::Common& common);

/// Adds the command to the program's.
void add_compare_command(cli::CommandSet& commands);

}  // namespace gpusim::commands
