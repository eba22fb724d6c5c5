// SPDX-License-Identifier: MIT
// Other programs, started with a list of arguments and never through a shell.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace gpusim::compile {

/// What is added to the number of the signal that ended a program, as shells do.
inline constexpr int kSignalled = 128;

struct Ended {
  int code = 0;        ///< its exit code; kSignalled and the number of the signal that ended it
  std::string output;  ///< what it printed, standard output and errors together, cut where it is very long
};

/// Runs a program to its end; `scratch` is a folder for what it prints. The program and all that it starts end when
/// this process ends first, or gets a SIGINT, SIGTERM or SIGHUP that it does not ignore: that signal then takes the
/// effect here that it had before. Throws InputError when it cannot be started.
[[nodiscard]] Ended run_program(const std::vector<std::string>& command, const std::filesystem::path& scratch);

}  // namespace gpusim::compile
