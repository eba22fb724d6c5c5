// SPDX-License-Identifier: MIT
// The control flow of a listed function: where branches go, what can be reached, and which branches make loops.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "sim/frontend/sass/listing.h"

namespace gpusim::frontend::sass {

inline constexpr std::uint32_t kNowhere = 0xffffffffU;

/// Instructions `begin` to `end`; `end` is the last branch back to `begin`.
struct Loop {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  bool has_continue = false;  ///< other branches lead back, too
};

struct Flow {
  std::vector<std::uint32_t> targets;  ///< of each instruction, kNowhere where it does not branch
  std::vector<bool> reachable;
  std::vector<Loop> loops;         ///< by `begin`; nested or apart
  std::set<std::uint32_t> labels;  ///< instructions that a branch leads forward to
};

/// What stands in the way of writing the function as a program is added to `problems`.
[[nodiscard]] Flow flow_of(const ListedFunction& function, const std::string& file, ProblemList& problems);

}  // namespace gpusim::frontend::sass
