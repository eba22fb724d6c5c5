// SPDX-License-Identifier: MIT
// Plots as files: gnuplot draws them.
#pragma once

#include <string>
#include <vector>

#include "sim/commands/sweep/analysis/pictures.h"

namespace gpusim::commands {

/// Writes each picture's script (.gp), data (.dat) and drawing (.svg) into a folder, which is made when it is not
/// there. Throws InputError when gnuplot is not installed, fails, or a file cannot be written.
void draw(const std::vector<sweep::Picture>& pictures, const std::string& folder);

}  // namespace gpusim::commands
