// SPDX-License-Identifier: MIT
#include <catch2/catch.hpp>

#include "tests/exec/kernels/files.h"
#include "tests/exec/kernels/run.h"

using namespace gpusim;
using namespace gpusim::exec;

TEST_CASE("a check of kernels that are right finds nothing, and leaves the same results") {
  for (const KernelCase& row : kernel_cases()) {
    for (const unsigned sm : kCompiledFor) {
      if (sm >= row.since) {
        INFO(row.kernel << " for sm_" << sm);
        CHECK(check_case(row, sm) == std::vector<std::string>{});
      }
    }
  }
}
