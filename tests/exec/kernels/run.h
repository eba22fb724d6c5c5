// SPDX-License-Identifier: MIT
// Runs a case on the functional executor.
#pragma once

#include <string>

#include "sim/exec/run/run_grid.h"

#include "tests/exec/kernels/problem.h"

namespace gpusim::exec {

struct KernelResult {
  std::string wrong;  ///< what is wrong; empty when all is right
  RunCounts counts;
  double seconds = 0;  ///< of the execution alone
};

/// With the machine code of data/ for this SM. An exception of the executor becomes KernelResult::wrong.
[[nodiscard]] KernelResult run_case(const KernelCase& row, unsigned sm);

}  // namespace gpusim::exec
