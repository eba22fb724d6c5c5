// SPDX-License-Identifier: MIT
// The chain of activities that decided when the last round ended: each waited for the one before it.
#pragma once

#include <vector>

#include "sim/system/run/timeline.h"

namespace gpusim::run {

/// A part of the critical path.
struct PathPart {
  Index activity = 0;
  double waited = 0;  ///< nanoseconds from the end of the part before to its begin: latency of a launch, gap
  double ns = 0;      ///< the time of the activity itself that no part before covers
};

/// In the order of time, from the begin of the rounds that count. All waits and times add up to them.
[[nodiscard]] std::vector<PathPart> critical_path(const Timeline& timeline);

}  // namespace gpusim::run
