// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include "sim/commands/sweep/analysis/findings.h"

namespace gpusim::sweep {
namespace {

/// Ends of a curve that differ by less show the order in which warps happen to meet, not that less of a key is better
/// (docs/what-if.md sees up to 3 %).
constexpr double kClearlyBetter = 1.03;

/// How the speeds of a slice move along its key, as logarithms.
struct Movement {
  double up = 0;    ///< the most that a later one is above an earlier one
  double down = 0;  ///< the most that it is below
  double ends = 0;  ///< ratio of the last to the first
};

Movement movement_of(const std::vector<double>& speeds) {
  Movement out;
  double low = speeds.front();
  double high = speeds.front();
  for (const double speed : speeds) {
    low = std::min(low, speed);
    high = std::max(high, speed);
    out.up = std::max(out.up, std::log(speed / low));
    out.down = std::max(out.down, std::log(high / speed));
  }
  out.ends = std::log(speeds.back() / speeds.front());
  return out;
}

/// Whether the speeds go one way but for steps that are small, or small beside the whole way.
bool has_trend(const Movement& movement) {
  const double back = movement.ends >= 0 ? movement.down : movement.up;
  return !std::isfinite(back + movement.ends) || back <= std::log(kClearlyBetter) ||
         back <= std::abs(movement.ends) / 2;
}

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
  std::vector<double> speeds;
  for (const std::size_t i : slice.samples) {
    speeds.push_back(metric.speedup(value(i), value(slice.samples.front())));
  }
  const Movement movement = movement_of(speeds);
  scaling.has_trend = is_workload || has_trend(movement);
  scaling.spread = std::ranges::max(speeds) / std::ranges::min(speeds);
  scaling.falls = !is_workload && scaling.has_trend && movement.ends < -std::log(kClearlyBetter);
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
  if (!is_workload && scaling.has_trend) {
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
