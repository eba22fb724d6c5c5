// SPDX-License-Identifier: MIT
// Scripts that complete commands, options and values in a shell.
#pragma once

#include <string>
#include <vector>

#include "sim/commands/help/manual.h"

namespace gpusim::manual {

/// Words that a placeholder of the help stands for: GPU for h100, a100, ... Files are offered as well.
struct Names {
  std::string placeholder;
  std::vector<std::string> words;
  bool or_file = true;  ///< a file may stand there as well
};

/// bash, zsh, fish.
[[nodiscard]] const std::vector<std::string>& shells();

/// The script for one of shells().
[[nodiscard]] std::string completion(const Command& program, const std::vector<Names>& names, const std::string& shell);

}  // namespace gpusim::manual
