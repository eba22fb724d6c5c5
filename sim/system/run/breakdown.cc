// SPDX-License-Identifier: MIT
#include "sim/system/run/breakdown.h"

#include <algorithm>
#include <optional>

namespace gpusim::run {
namespace {

struct Edge {
  double time = 0;
  int step = 1;  ///< 1 at the begin, -1 at the end
  Cause cause = Cause::kLaunch;
};

std::optional<Cause> cause_of(const Activity& activity, const std::vector<KernelCost>& costs) {
  switch (activity.kind) {
    case ActivityKind::kKernel: {
      const Bound bound = costs[activity.kernel].bound;
      return bound == Bound::kCompute    ? Cause::kCompute
             : bound == Bound::kMemory   ? Cause::kMemory
             : bound == Bound::kOverhead ? Cause::kSmall
                                         : Cause::kKernel;
    }
    case ActivityKind::kCollective: return Cause::kCommunication;
    case ActivityKind::kCopy:
    case ActivityKind::kFill: return Cause::kCopy;
    case ActivityKind::kCall:
      return activity.waits_for_data && activity.has_waited() ? std::optional(Cause::kData) : std::nullopt;
    default: return std::nullopt;
  }
}

/// Begins and ends within the rounds that count, in order.
std::vector<Edge> edges_of(const Timeline& timeline, Index gpu, const std::vector<KernelCost>& costs) {
  std::vector<Edge> edges;
  for (const Activity& activity : timeline.activities) {
    const bool is_here = activity.gpu == gpu && (activity.is_on_gpu() || !timeline.background[activity.thread]);
    const std::optional<Cause> cause = is_here ? cause_of(activity, costs) : std::nullopt;
    const double begin = std::max(activity.begin, timeline.begin);
    const double end = std::min(activity.end, timeline.end);
    if (cause && begin < end) {
      edges.push_back({begin, 1, *cause});
      edges.push_back({end, -1, *cause});
    }
  }
  std::ranges::sort(edges, {}, &Edge::time);
  return edges;
}

}  // namespace

Breakdown break_down(const Timeline& timeline, Index gpu, const std::vector<KernelCost>& costs) {
  Breakdown out{};
  std::array<int, kCauses.size()> running{};
  running[static_cast<std::size_t>(Cause::kLaunch)] = 1;
  double now = timeline.begin;
  const auto spend = [&](double until) {
    const auto first = std::ranges::find_if(running, [](int count) { return count > 0; });
    out[static_cast<std::size_t>(first - running.begin())] += (until - now) / timeline.repeats;
    now = until;
  };
  for (const Edge& edge : edges_of(timeline, gpu, costs)) {
    spend(edge.time);
    running[static_cast<std::size_t>(edge.cause)] += edge.step;
  }
  spend(timeline.end);
  return out;
}

}  // namespace gpusim::run
