// SPDX-License-Identifier: MIT
// How far the answers of a lab can be passed on: a class of students, each with the whole work of each other one.
#pragma once

#include <cstddef>
#include <string>

#include "sim/commands/lab/course/lab.h"
#include "sim/commands/lab/run/bench.h"

namespace gpusim::lab {

struct Copies {
  std::size_t tried = 0;
  std::size_t passed = 0;
  std::string example;  ///< "ann's passes as bob's", of the first that passed; empty: none did
};

/// Solves the lab for some students, and checks the solution of each as that of each other one.
[[nodiscard]] Copies try_copies(const Lab& lab, Memory& memory);

}  // namespace gpusim::lab
