// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "sim/commands/sweep/analysis/findings.h"
#include "sim/model/stats/metrics.h"

namespace gpusim::sweep {
namespace {

/// How near its limit the bound is; nothing where the metrics do not say.
std::optional<double> share_of(const PointRow& row, const std::string& bound) {
  if (bound == "latency") {
    return stats::kBoundPct;  // below which no unit bounds a kernel
  }
  // A busy tensor pipe bounds a kernel far from the dense peak.
  const auto found = row.metrics.find(bound == "tensor" ? "tensor_share_pct" : bound + "_pct");
  return found == row.metrics.end() ? std::nullopt : std::optional(found->second);
}

/// By how much the first bound is nearer its limit than the second.
std::optional<double> lead(const PointRow& row, const std::string& first, const std::string& second) {
  const std::optional<double> a = share_of(row, first);
  const std::optional<double> b = share_of(row, second);
  return a && b ? std::optional(*a - *b) : std::nullopt;
}

/// The value of the key at which the lead is zero, on a straight line over its logarithm.
std::optional<double> crossing(double low, std::optional<double> lead_low, double high,
                               std::optional<double> lead_high) {
  if (low <= 0 || !lead_low || !lead_high || *lead_low < 0 || *lead_high > 0 || *lead_low == *lead_high) {
    return std::nullopt;
  }
  const double part = *lead_low / (*lead_low - *lead_high);
  return std::exp(std::log(low) + part * (std::log(high) - std::log(low)));
}

void widen(BoundCrossover& crossover, std::optional<double> at) {
  if (at) {
    crossover.least = std::min(crossover.least.value_or(*at), *at);
    crossover.most = std::max(crossover.most.value_or(*at), *at);
  }
}

using Place = std::tuple<std::size_t, std::size_t, std::string, std::string>;

void add_changes(const Group& group, std::span<const PointRow> rows, const Slice& slice,
                 std::map<Place, BoundCrossover>& found) {
  const auto value = [&](const Sample& sample) { return group.level_of(sample, slice.dimension).number->value; };
  for (std::size_t i = 1; i < slice.samples.size(); ++i) {
    const Sample& low = group.samples[slice.samples[i - 1]];
    const Sample& high = group.samples[slice.samples[i]];
    const std::string& from = rows[low.row].bound;
    const std::string& to = rows[high.row].bound;
    if (from == to) {
      continue;
    }
    const Place place{low.level[slice.dimension], high.level[slice.dimension], from, to};
    const auto [entry, is_new] = found.try_emplace(place);
    BoundCrossover& crossover = entry->second;
    if (is_new) {
      crossover = {slice.dimension, from, to, std::get<0>(place), std::get<1>(place), {}, {}, 0, ""};
      crossover.example = place_text(group, low, {slice.dimension});
    }
    ++crossover.slices;
    widen(crossover, crossing(value(low), lead(rows[low.row], from, to), value(high), lead(rows[high.row], from, to)));
  }
}

}  // namespace

std::vector<BoundCrossover> find_bound_crossovers(const Group& group, std::span<const PointRow> rows) {
  std::vector<BoundCrossover> out;
  for (std::size_t d = 0; d < group.dimensions.size(); ++d) {
    std::map<Place, BoundCrossover> found;
    if (group.dimensions[d].is_numeric) {
      for (const Slice& slice : slices_along(group, d)) {
        add_changes(group, rows, slice, found);
      }
    }
    for (auto& [place, crossover] : found) {
      out.push_back(std::move(crossover));
    }
  }
  return out;
}

}  // namespace gpusim::sweep
