// SPDX-License-Identifier: MIT
#include "sim/commands/lab/run/job.h"

#include <fstream>

#include <catch2/catch.hpp>

#include "sim/base/problem.h"
#include "sim/base/temporary_folder.h"
#include "sim/model/trace/kernel.h"
#include "sim/model/trace/trace.h"

namespace job_test {

using namespace gpusim;

constexpr const char* kTwoKernels =
    "gpusim trace 1\nkernel k\n  grid (1)\n  block (32)\ncode\n  EXIT\nend\n"
    "kernel helper\n  grid (1)\n  block (32)\ncode\n  EXIT\nend\n";

TEST_CASE("a student's kernel has no others beside it that could do its work") {
  const TemporaryFolder folder;
  const std::string trace = (folder.path() / "kernel.trace").string();
  std::ofstream(trace) << kTwoKernels;
  lab::Job job{trace, "h100", {}, {}, "warm", "k"};
  CHECK(lab::load_trace_of(job).kernels.size() == 2);
  job.is_of_student = true;
  CHECK_THROWS_WITH(lab::load_trace_of(job),
                    Catch::Contains("runs a kernel 'helper' besides 'k'") && Catch::Contains("measures 'k' alone"));
  job.kernel.clear();
  CHECK(lab::load_trace_of(job).kernels.size() == 2);
}

TEST_CASE("a student's kernel has no control bits, with which it could skip its waits") {
  const TemporaryFolder folder;
  const std::string trace = (folder.path() / "kernel.trace").string();
  std::ofstream(trace)
      << "gpusim trace 1\nkernel k\n  grid (1)\n  block (32)\ncode\n  [B------:R-:W-:-:S01] EXIT\nend\n";
  lab::Job job{trace, "h100", {}, {}, "warm", "k"};
  CHECK_NOTHROW(lab::load_trace_of(job));
  job.is_of_student = true;
  CHECK_THROWS_WITH(lab::load_trace_of(job),
                    Catch::Contains(":6: 'EXIT' has control bits") && Catch::Contains("leave the brackets out"));
}

}  // namespace job_test
