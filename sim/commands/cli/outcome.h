// SPDX-License-Identifier: MIT
// What came of a command's results: what is so, and what should be otherwise.
#pragma once

#include <span>
#include <string>

namespace gpusim::cli {

enum class TellOn { kOutput, kLog };

/// Prints `told`, a line each, and logs `wrong` as errors. Returns whether nothing is wrong.
bool print_outcome(std::span<const std::string> told, std::span<const std::string> wrong, TellOn where);

}  // namespace gpusim::cli
