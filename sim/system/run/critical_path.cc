// SPDX-License-Identifier: MIT
#include "sim/system/run/critical_path.h"

#include <algorithm>

namespace gpusim::run {
namespace {

/// What ended last, of all but ranges and threads in the background.
Index last_of(const Timeline& timeline) {
  Index last = kNone;
  for (Index i = 0; i < timeline.activities.size(); ++i) {
    const Activity& activity = timeline.activities[i];
    const bool counts = activity.kind != ActivityKind::kRange && !timeline.background[activity.thread];
    if (counts && (last == kNone || activity.end > timeline.activities[last].end)) {
      last = i;
    }
  }
  return last;
}

/// Where the path goes on, backwards, and from when.
struct Step {
  Index activity = kNone;
  double end = 0;
};

/// `after` is the part that follows on the path. A call may wait for work that it issued itself, as a synchronous copy
/// does: the path then passes it twice, and the second time it goes on to what the thread did before.
Step step_back(const Timeline& timeline, Index at, Index after) {
  const Activity& activity = timeline.activities[at];
  const bool is_on_gpu = activity.is_on_gpu();
  const bool issued_next = after != kNone && timeline.activities[after].call == at;
  const Index next = is_on_gpu || (activity.has_waited() && !issued_next) ? activity.cause : activity.previous;
  if (next == kNone) {
    return {kNone, timeline.begin};
  }
  const bool is_own_call = is_on_gpu && activity.call == next;
  if (is_own_call) {
    return {next, timeline.activities[next].acted};
  }
  // Work may begin while what made room for it goes on.
  const double end = timeline.activities[next].end;
  return {next, is_on_gpu ? std::min(end, activity.begin) : end};
}

}  // namespace

std::vector<PathPart> critical_path(const Timeline& timeline) {
  std::vector<PathPart> path;
  double until = timeline.end;
  Index after = kNone;
  for (Index at = last_of(timeline); at != kNone && until > timeline.begin;) {
    const Step next = step_back(timeline, at, after);
    const double from = std::clamp(next.end, timeline.begin, until);
    const double begin = std::clamp(timeline.activities[at].begin, from, until);
    path.push_back({at, begin - from, until - begin});
    until = from;
    after = at;
    at = next.activity;
  }
  std::ranges::reverse(path);
  return path;
}

}  // namespace gpusim::run
