// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include "sim/commands/sweep/analysis/findings.h"

namespace gpusim::sweep {
namespace {

/// Ends of a curve that differ by less show the order in which warps happen to meet, not that less of a key is better
/// (docs/what-if.md sees up to 3 %).
constexpr double kClearlyBetter = 1.03;

/// The first point from which on every step gives less than the share, if there is one. `growth` is that of the key
/// over the first point above zero, or its shrinking; 0 of a zero, to and from which there are no per cents.
std::optional<Knee> knee_of(const std::vector<double>& growth, const std::vector<ScalingPoint>& points, double share) {
  std::optional<Knee> knee;
  for (std::size_t i = points.size() - 1; i > 0; --i) {
    if (growth[i] == 0 || growth[i - 1] == 0) {
      continue;
    }
    const double step = std::log(points[i].speedup / points[i - 1].speedup) / std::log(growth[i] / growth[i - 1]);
    if (step >= share) {
      break;
    }
    knee = Knee{i - 1, knee ? std::max(knee->elasticity_beyond, step) : step};
  }
  return knee;
}

Scaling scaling_of(const Group& group, Slice slice, const Metric& metric, double knee_share) {
  Scaling scaling{slice.dimension, false, {}, std::nullopt};
  const auto value = [&](std::size_t i) { return group.samples[i].value; };
  const auto at = [&](std::size_t i) { return group.level_of(group.samples[i], slice.dimension).number->value; };
  const bool is_workload = group.dimensions[slice.dimension].is_workload();
  scaling.falls =
      !is_workload && metric.speedup(value(slice.samples.front()), value(slice.samples.back())) > kClearlyBetter;
  if (scaling.falls) {
    std::ranges::reverse(slice.samples);
  }
  const std::size_t first = slice.samples.front();
  const std::size_t base = *std::ranges::find_if(slice.samples, [&](std::size_t i) { return at(i) > 0; });
  std::vector<double> growth;
  for (const std::size_t i : slice.samples) {
    const double quotient = scaling.falls ? at(base) / at(i) : at(i) / at(base);
    growth.push_back(at(i) > 0 ? quotient : 0);
    scaling.points.push_back({i, metric.speedup(value(i), value(first)), std::nullopt});
    if (!is_workload && at(i) > 0) {
      scaling.points.back().efficiency = metric.speedup(value(i), value(base)) / quotient;
    }
  }
  if (!is_workload) {
    scaling.knee = knee_of(growth, scaling.points, knee_share);
  }
  return scaling;
}

}  // namespace

std::vector<Scaling> scalings_of(const Group& group, std::size_t centre, const Metric& metric, double knee_share) {
  std::vector<Scaling> out;
  for (std::size_t d = 0; d < group.dimensions.size(); ++d) {
    Slice slice = slice_through(group, d, centre);
    if (group.dimensions[d].is_numeric && slice.samples.size() > 1) {
      out.push_back(scaling_of(group, std::move(slice), metric, knee_share));
    }
  }
  return out;
}

}  // namespace gpusim::sweep
