// SPDX-License-Identifier: MIT
// From a study to points that are ready to run: resolved, with the key of each, and the reason where one cannot run.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "sim/commands/sweep/store/point.h"
#include "sim/commands/sweep/study/expand.h"

namespace gpusim::gpu {
struct SimulateOptions;
}  // namespace gpusim::gpu

namespace gpusim::sweep {

class Inputs;

/// One point of the study.
struct Candidate {
  Point point;
  /// key, names, parameters and derived; status is kSkipped with the reason when the point contradicts itself or the
  /// GPU cannot run the trace, else empty.
  PointRow row;
  double work = 0;  ///< LoadedTrace::work
};

struct Prepared {
  std::vector<Candidate> points;  ///< in the order of the plan
  std::uint64_t left_out = 0;     ///< points that a condition excludes
};

/// Resolves every point of the plan. `tell` is called with the number done now and then; false stops, and nothing is
/// returned.
[[nodiscard]] Prepared prepare(Inputs& inputs, const Plan& plan, const gpu::SimulateOptions& options,
                               const std::function<bool(std::uint64_t)>& tell = {});

}  // namespace gpusim::sweep
