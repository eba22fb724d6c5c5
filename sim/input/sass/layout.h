// SPDX-License-Identifier: MIT
// The order in which a program has a function's instructions: as listed, but with the bodies of subroutines where they
// are called, and with code that was moved out of the way back at the branch that leads to it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/base/problem.h"
#include "sim/input/listing/listing.h"
#include "sim/input/sass/branches.h"

namespace gpusim::frontend::sass {

struct Placed {
  std::uint32_t source = 0;         ///< in ListedFunction::code
  std::uint32_t target = kNowhere;  ///< what it branches to, in Layout
  std::uint32_t copy = 0;           ///< 0: the function itself; else the number of the call whose body this is
  std::string guard;                ///< "@!P0": as listed, or what decides the branch
  bool is_branch = false;           ///< BRA, CALL or RET
  bool inverted = false;            ///< branches where the listing goes on, and goes on where it branches
  bool never = false;               ///< no lane ever executes it
  bool goes_on = true;              ///< the next one may follow
};

using Layout = std::vector<Placed>;

/// What stands in the way of writing the function as a program is added to `problems`; the result then means nothing.
[[nodiscard]] Layout lay_out(const ListedFunction& function, const std::string& file, ProblemList& problems);

}  // namespace gpusim::frontend::sass
