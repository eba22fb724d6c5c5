// SPDX-License-Identifier: MIT
#include "tests/exec/kernels/run.h"

#include <cstdlib>

#include <catch2/catch.hpp>

#include "tests/exec/kernels/files.h"
#include "tests/exec/kernels/page.h"
#include "tests/support/golden.h"

using namespace gpusim;
using namespace gpusim::exec;

TEST_CASE("every kernel leaves what the reference says, on each SM it is compiled for") {
  for (const KernelCase& row : kernel_cases()) {
    for (const unsigned sm : kCompiledFor) {
      if (sm >= row.since) {
        INFO(row.kernel << " for sm_" << sm);
        const KernelResult result = run_case(row, sm);
        CHECK(result.wrong == "");
        CHECK(result.counts.warp_instructions > 0);
      }
    }
  }
}

TEST_CASE("the page of compiled kernels says what is so, speeds left out") {
  const bool writes = std::getenv("GPUSIM_REGENERATE") != nullptr;
  const std::string page = kernel_page(writes ? Speeds::kMeasured : Speeds::kLeftOut);
  CHECK(without_speeds(golden("docs/compiled-kernels.md", page)) == without_speeds(page));
}
