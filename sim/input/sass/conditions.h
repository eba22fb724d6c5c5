// SPDX-License-Identifier: MIT
// Which instruction decides each guard: guards that one instruction decides are one hole in the program, not many.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "sim/input/sass/flow.h"

namespace gpusim::frontend::sass {

/// A predicate as one placed instruction leaves it: "P0" of a comparison, where several guards read it.
struct Condition {
  std::uint32_t definition = 0;
  std::string predicate;
};

struct Conditions {
  std::vector<Condition> all;               ///< by definition
  std::map<std::uint32_t, std::size_t> of;  ///< placed instruction to the condition that its guard reads
};

[[nodiscard]] Conditions conditions_of(const ListedFunction& function, const Flow& flow);

}  // namespace gpusim::frontend::sass
