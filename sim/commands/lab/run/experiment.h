// SPDX-License-Identifier: MIT
// A run that a student looks at: the page of its report, with the timeline of the first SM.
#pragma once

#include <string>

#include "sim/base/types.h"
#include "sim/commands/lab/run/job.h"

namespace gpusim::lab {

struct Experiment {
  Job job;
  std::string trace;  ///< what the page calls the files
  std::string arch;
  Cycle begin = 0;  ///< the timeline shows cycles [begin, end) of each kernel
  Cycle end = 4000;
};

struct Shown {
  std::string page;     ///< HTML
  std::string problem;  ///< why there is none
};

/// Simulates in a process of its own, with the limits of a check; it takes `wall_seconds` at most, its
/// compiler included.
[[nodiscard]] Shown show(const Experiment& experiment, double wall_seconds);

}  // namespace gpusim::lab
