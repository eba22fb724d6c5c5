// SPDX-License-Identifier: MIT
// The control flow of a function as a program has it: which branches make loops, and where labels stand.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "sim/base/problem.h"
#include "sim/input/sass/layout.h"

namespace gpusim::frontend::sass {

/// Placed instructions `begin` to `end`; `end` is the last branch back to `begin`.
struct Loop {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  bool has_continue = false;  ///< other branches lead back, too
};

struct Flow {
  Layout code;
  std::vector<Loop> loops;         ///< by `begin`; nested or apart
  std::set<std::uint32_t> labels;  ///< instructions that a branch leads forward to
};

/// What stands in the way of writing the function as a program is added to `problems`.
[[nodiscard]] Flow flow_of(const ListedFunction& function, const std::string& file, ProblemList& problems);

}  // namespace gpusim::frontend::sass
