// SPDX-License-Identifier: MIT
// Which argument of a launch belongs to which parameter of its kernel.
#pragma once

#include <string>
#include <vector>

#include "sim/base/problem.h"
#include "sim/code/launch/request.h"
#include "sim/code/launch/signature.h"

namespace gpusim::launch {

struct Match {
  /// By ordinal; null for a hidden parameter, and after a problem.
  std::vector<const NamedText*> arguments;
  /// Not empty where nobody knows names, and the arguments were taken in the order given.
  std::string note;
};

/// By name where the names are known, by position where an argument's name is a number, else in the order given. What
/// is missing, unknown or too much is added to the problems.
[[nodiscard]] Match match_arguments(const LaunchText& launch, const Signature& signature, bool from_command_line,
                                    ProblemList& problems);

}  // namespace gpusim::launch
