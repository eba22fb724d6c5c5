// SPDX-License-Identifier: MIT
// The command line of the program `silicon`; tools/silicon/run is what people call.
#pragma once

#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

namespace gpusim::silicon {

enum class Task { List, Device, Run, Profile };

struct Options {
  Task task = Task::List;
  std::string experiment;  ///< of Run and Profile
  std::string out;         ///< of Run
};

inline constexpr std::string_view kUsage =
    "usage: silicon --list                  every experiment, a JSON line each\n"
    "       silicon --device                the GPU, as one JSON line\n"
    "       silicon --run NAME --out FILE   runs one experiment and appends what it found to FILE\n"
    "       silicon --profile NAME          runs each of its kernels once, for a profiler started from outside\n"
    "exit status: 0 done, 1 wrong usage, 3 skipped (no GPU, or not a fitting one), 4 fault, 5 wrong numbers\n";

struct OptionsError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The words after the program's name. Throws OptionsError with a sentence.
[[nodiscard]] Options parse_options(std::span<const std::string_view> words);

}  // namespace gpusim::silicon
