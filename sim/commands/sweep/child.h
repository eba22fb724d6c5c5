// SPDX-License-Identifier: MIT
// Another program, started without a shell.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace gpusim::commands {

struct ChildEnd {
  bool was_found = true;  ///< false: there is no such program
  int code = 0;           ///< its exit code; 128 and more: killed by a signal, as shells count
  std::string said;       ///< on standard output and standard error, the first 64 KiB
};

/// Runs a program that is searched in PATH, with nothing on its standard input, in `folder`, and waits for its end.
/// Throws InputError when no process can be made or the folder cannot be entered.
[[nodiscard]] ChildEnd run_child(const std::vector<std::string>& command, const std::filesystem::path& folder);

}  // namespace gpusim::commands
