// SPDX-License-Identifier: MIT
#include "sim/system/run/link_use.h"

#include <algorithm>
#include <map>

#include "sim/base/units.h"

namespace gpusim::run {
namespace {

/// Later changes are not kept: a page of them could not be read, and an application may have any number.
constexpr std::size_t kMostChanges = 2'000'000;

/// Adds a step; what changes at one time is one step.
void add_step(LinkSeries& series, double time, double rate) {
  if (!series.steps.empty() && series.steps.back().time == time) {
    series.steps.back().rate = rate;
    return;
  }
  series.steps.push_back({time, rate});
}

}  // namespace

void LinkUse::change(double time, std::size_t resource, double by) {
  if (changes_.size() < kMostChanges) {
    changes_.push_back({time, resource, by});
  }
}

std::vector<LinkSeries> LinkUse::series(std::span<const system::Resource> resources) const {
  constexpr double kNoRate = 1e-9;  // bytes a nanosecond: what is left of sums and differences
  std::vector<Change> sorted = changes_;
  std::ranges::stable_sort(sorted, {}, &Change::time);
  std::map<std::size_t, LinkSeries> found;
  std::map<std::size_t, double> rates;
  for (const Change& change : sorted) {
    if (resources[change.resource].is_sum) {
      continue;
    }
    LinkSeries& series = found[change.resource];
    double& rate = rates[change.resource];
    rate += change.by;
    add_step(series, change.time, rate < kNoRate ? 0 : rate);
  }
  std::vector<LinkSeries> all;
  for (auto& [resource, series] : found) {
    series.name = resources[resource].name;
    series.most = resources[resource].bytes_per_second / static_cast<double>(kGiga);
    all.push_back(std::move(series));
  }
  return all;
}

}  // namespace gpusim::run
