// SPDX-License-Identifier: MIT
// What a group of points teaches: which key buys most, how each scales, what is worth its cost, where the bound
// changes.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sim/commands/sweep/analysis/group.h"

namespace gpusim::sweep {

/// How a key's share was found.
enum class Evidence : std::uint8_t {
  kSlice,       ///< points that differ in this key alone
  kRegression,  ///< all points together, because too few differ in one key alone
  kSpread,      ///< values that are not numbers: the best against the worst
  kNone         ///< it cannot be told: the key always moved together with others
};

/// What one key does to the metric.
struct Sensitivity {
  std::size_t dimension = 0;
  Evidence evidence = Evidence::kNone;
  std::size_t points = 0;
  std::string low;  ///< range varied; of words the best and the worst
  std::string high;
  /// d ln(metric) / d ln(key): per cent of the metric for each per cent of the key. 0 of a spread.
  double elasticity = 0;
  std::optional<double> error;  ///< error of the elasticity; nothing with two points
  double fit_error_pct = 0;     ///< what the power law leaves, root mean square
  double spread = 1;            ///< largest over smallest metric of the points
};

/// What matters most first; parameters of the trace, which buy nothing, after the keys of the architecture.
[[nodiscard]] std::vector<Sensitivity> rank_sensitivities(const Group& group, std::size_t centre);

struct ScalingPoint {
  std::size_t sample = 0;
  double speedup = 1;  ///< over the first point
  /// Speed-up over the growth (or shrinking) of the key, both over the first value above zero; none of zero itself, and
  /// none of the work's size.
  std::optional<double> efficiency;
};

/// Where returns have fallen for good.
struct Knee {
  std::size_t point = 0;         ///< from this one on
  double elasticity_beyond = 0;  ///< largest share of a per cent that a per cent more still gives
};

/// The metric along one key, all others as at the centre.
struct Scaling {
  std::size_t dimension = 0;
  bool falls = false;                ///< less of the key is clearly better, as of a latency
  std::vector<ScalingPoint> points;  ///< by rising value; by falling value if it `falls`
  std::optional<Knee> knee;
  bool has_trend = true;  ///< false: the values go up and down by more than their ends lie apart
  double spread = 1;      ///< the best value over the worst
};

/// Returns are said to have fallen when one per cent more of a key gives less than this share of a per cent.
inline constexpr double kKneeShare = 0.5;

/// The scalings along every numeric dimension with at least two points through the centre.
[[nodiscard]] std::vector<Scaling> scalings_of(const Group& group, std::size_t centre, const Metric& metric,
                                               double knee_share = kKneeShare);

/// The bound passes from one unit to another between two neighbouring values of a key.
struct BoundCrossover {
  std::size_t dimension = 0;
  std::string from;     ///< below
  std::string to;       ///< above
  std::size_t low = 0;  ///< levels
  std::size_t high = 0;
  /// Where the two units' shares of their peaks are equal, interpolated; the range over the slices where it is known.
  std::optional<double> least;
  std::optional<double> most;
  std::size_t slices = 0;  ///< in which this happens
  std::string example;     ///< the other keys of the first
};

/// Along every numeric dimension, over all slices; the same change between the same values is one.
[[nodiscard]] std::vector<BoundCrossover> find_bound_crossovers(const Group& group, std::span<const PointRow> rows);

/// A point and its cost.
struct Costed {
  std::size_t row = 0;
  double cost = 0;
  double value = 0;  ///< value of the metric
};

/// Those that no other beats in cost or metric without being worse in the other, by rising cost.
[[nodiscard]] std::vector<Costed> pareto_front(std::span<const Costed> points, const Metric& metric);

}  // namespace gpusim::sweep
