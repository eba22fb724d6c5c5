// SPDX-License-Identifier: MIT
// Other programs, started with a list of arguments and never through a shell.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace gpusim::compile {

struct Ended {
  int code = 0;        ///< its exit code; 128 and the number of the signal that ended it
  std::string output;  ///< what it printed, standard output and errors together, cut where it is very long
};

/// Runs a program to its end; `scratch` is a folder for what it prints. The program and all that it starts end when
/// this process ends first. Throws InputError when it cannot be started.
[[nodiscard]] Ended run_program(const std::vector<std::string>& command, const std::filesystem::path& scratch);

}  // namespace gpusim::compile
