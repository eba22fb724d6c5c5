// SPDX-License-Identifier: MIT
#include <cmath>

#include "sim/sweep/answer/findings.h"

namespace gpusim::sweep {
namespace {

/// The first point from which on every step gives less than the share, if there is one.
std::optional<Knee> knee_of(const std::vector<double>& at, const std::vector<ScalingPoint>& points, double share) {
  std::optional<Knee> knee;
  for (std::size_t i = points.size() - 1; i > 0; --i) {
    const double step = std::log(points[i].speedup / points[i - 1].speedup) / std::log(at[i] / at[i - 1]);
    if (step >= share) {
      break;
    }
    knee = Knee{i - 1, knee ? std::max(knee->elasticity_beyond, step) : step};
  }
  return knee;
}

}  // namespace

std::vector<Scaling> scalings_of(const Group& group, std::size_t centre, const Metric& metric, double knee_share) {
  std::vector<Scaling> out;
  for (std::size_t d = 0; d < group.dimensions.size(); ++d) {
    const Slice slice = slice_through(group, d, centre);
    if (!group.dimensions[d].is_numeric || slice.samples.size() < 2) {
      continue;
    }
    Scaling scaling{d, {}, std::nullopt};
    std::vector<double> at;
    for (const std::size_t i : slice.samples) {
      at.push_back(group.level_of(group.samples[i], d).number->value);
      const double base = group.samples[slice.samples.front()].value;
      scaling.points.push_back({i, metric.speedup(group.samples[i].value, base), std::nullopt});
    }
    // More of a latency, or of the work, is slower: there is nothing to be efficient at.
    if (!group.dimensions[d].is_workload() && scaling.points.back().speedup >= 1) {
      for (std::size_t i = 0; i < at.size(); ++i) {
        scaling.points[i].efficiency = scaling.points[i].speedup / (at[i] / at.front());
      }
      scaling.knee = knee_of(at, scaling.points, knee_share);
    }
    out.push_back(std::move(scaling));
  }
  return out;
}

}  // namespace gpusim::sweep
