// SPDX-License-Identifier: MIT
// Another program, run to its end, without a shell in between.
#pragma once

#include <filesystem>
#include <span>
#include <string>

namespace gpusim::app {

struct Ended {
  int status = 0;      ///< exit code, or 128 + the signal that ended it
  std::string output;  ///< what it wrote to standard output
  std::string errors;  ///< and to standard error
};

/// Runs `words` (the program first, looked up in PATH) in `folder`, with nothing on standard input. Throws
/// std::system_error when it cannot be started: ENOENT when there is no such program.
[[nodiscard]] Ended run_child(std::span<const std::string> words, const std::filesystem::path& folder);

}  // namespace gpusim::app
