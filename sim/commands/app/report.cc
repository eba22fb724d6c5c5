// SPDX-License-Identifier: MIT
#include "sim/commands/app/report.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>
#include <span>
#include <string_view>
#include <utility>

#include "sim/base/text.h"
#include "sim/system/application/each_call.h"
#include "sim/system/run/call_names.h"
#include "sim/system/run/critical_path.h"

namespace gpusim::app {

using run::Activity;
using run::ActivityKind;
using run::Cause;
using run::Timeline;

std::string name_of(const Timeline& timeline, const Activity& activity) {
  switch (activity.kind) {
    case ActivityKind::kCopy: return std::string(run::name_of(activity.way));
    case ActivityKind::kFill: return "[CUDA memset]";
    default: return timeline.names[activity.name];
  }
}

namespace {

constexpr std::string_view kCudaPrefix = "cuda";

}  // namespace

std::string note_of(const Row& row, const run::KernelCost& cost) {
  return cost.note + (row.other_scales > 0 ? ", others of this name in " + counted(row.other_scales, "other way") : "");
}

bool is_of_cuda(const Timeline& timeline, const Activity& activity) {
  return activity.kind == ActivityKind::kCall && timeline.names[activity.name].starts_with(kCudaPrefix);
}

namespace {

struct Samples {
  std::vector<double> times;
  std::vector<double> bytes;
  double alone = 0;
  std::uint32_t kernel = run::kNone;
  std::map<std::uint32_t, double> scaled{};  ///< times by kernel, of those that were scaled
};

Spread spread_of(std::vector<double>& values) {
  std::ranges::sort(values);
  Spread spread;
  spread.total = std::accumulate(values.begin(), values.end(), 0.0);
  spread.least = values.front();
  spread.most = values.back();
  const std::size_t middle = values.size() / 2;
  spread.median = values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
  const double mean = spread.total / static_cast<double>(values.size());
  double squares = 0;
  for (const double value : values) {
    squares += (value - mean) * (value - mean);
  }
  spread.deviation = values.size() > 1 ? std::sqrt(squares / static_cast<double>(values.size() - 1)) : 0;
  return spread;
}

Row row_of(const std::string& name, Samples& samples) {
  Row row;
  static_cast<Spread&>(row) = spread_of(samples.times);
  row.name = name;
  row.count = samples.times.size();
  row.bytes = spread_of(samples.bytes);
  row.kernel = samples.kernel;
  row.alone = samples.alone / static_cast<double>(row.count);
  return row;
}

/// Kernels of a name may be scaled each in its way: the row has that of the longest, and counts the others.
void set_scales(const std::map<std::uint32_t, double>& scaled, std::span<const run::KernelCost> costs, Row& row) {
  std::set<std::string_view> notes;
  double most = 0;
  for (const auto& [kernel, ns] : scaled) {
    notes.insert(costs[kernel].note);
    row.kernel = ns > most ? kernel : row.kernel;
    most = std::max(most, ns);
  }
  row.other_scales = notes.empty() ? 0 : notes.size() - 1;
}

bool is_of_other_gpu(const run::KernelCost& cost) {
  return cost.how == run::TimeOf::kScaled || cost.how == run::TimeOf::kCarried;
}

/// Rows of the activities of some kinds that begin in the rounds that count. `costs` are those of kernels.
std::vector<Row> rows_of(const Timeline& timeline, std::initializer_list<ActivityKind> kinds,
                         std::span<const run::KernelCost> costs = {}) {
  std::map<std::string, Samples> found;
  for (const Activity& activity : timeline.activities) {
    const bool is_wanted = std::ranges::find(kinds, activity.kind) != kinds.end();
    if (is_wanted && activity.begin >= timeline.begin && activity.begin < timeline.end && activity.end > 0) {
      Samples& samples = found[name_of(timeline, activity)];
      samples.times.push_back(activity.end - activity.begin);
      samples.bytes.push_back(activity.bytes);
      samples.kernel = activity.kernel;
      samples.alone += activity.kernel < costs.size() ? costs[activity.kernel].ns : 0;
      if (activity.kernel < costs.size() && is_of_other_gpu(costs[activity.kernel])) {
        samples.scaled[activity.kernel] += activity.end - activity.begin;
      }
    }
  }
  std::vector<Row> rows;
  for (auto& [name, samples] : found) {
    rows.push_back(row_of(name, samples));
    set_scales(samples.scaled, costs, rows.back());
  }
  std::ranges::stable_sort(rows, std::greater<>(), &Row::total);
  return rows;
}

/// What the wait before a part of the path is.
std::string wait_before(const Timeline& timeline, const Activity& activity) {
  const bool is_on_gpu = activity.is_on_gpu();
  if (!is_on_gpu || activity.cause == run::kNone) {
    return "other waits";
  }
  const bool is_behind_work = timeline.activities[activity.cause].is_on_gpu();
  return is_behind_work ? "gaps between kernels" : "from launch to begin";
}

std::string path_name(const Timeline& timeline, const run::PathPart& part) {
  const Activity& activity = timeline.activities[part.activity];
  const bool was_woken = activity.has_waited() && activity.kind == ActivityKind::kCall;
  return was_woken ? "return of " + name_of(timeline, activity) : name_of(timeline, activity);
}

std::vector<PathRow> path_rows(const Timeline& timeline) {
  std::map<std::string, double> found;
  for (const run::PathPart& part : run::critical_path(timeline)) {
    found[path_name(timeline, part)] += part.ns / timeline.repeats;
    found[wait_before(timeline, timeline.activities[part.activity])] += part.waited / timeline.repeats;
  }
  std::vector<PathRow> rows;
  for (const auto& [name, ns] : found) {
    if (ns > 0) {
      rows.push_back({name, ns});
    }
  }
  std::ranges::stable_sort(rows, std::greater<>(), &PathRow::ns);
  return rows;
}

std::string_view advice(Cause cause) {
  switch (cause) {
    case Cause::kCompute:
      return "Kernels bound by compute take most of the step: a narrower type, or fewer FLOPs, would shorten it.";
    case Cause::kMemory:
      return "Kernels bound by memory take most of the step: fusing them, or a narrower type, would shorten it.";
    case Cause::kSmall:
      return "Kernels too small to fill the GPU take most of the step: a larger batch, or fusing them, would shorten "
             "it.";
    case Cause::kKernel:
      return "Kernels take most of the step. Their times are recorded, so nothing says what bounds them.";
    case Cause::kCommunication:
      return "Collectives that nothing hides take most of the step: overlap them with kernels, or send fewer bytes.";
    case Cause::kCopy:
      return "Copies that nothing hides take most of the step: pinned memory and a stream of their own would hide "
             "them.";
    case Cause::kData:
      return "The GPU waits for data most of the step: more loader threads, or a shorter time a batch, would shorten "
             "it.";
    case Cause::kLaunch:
      return "The GPU waits for the CPU to launch most of the step: CUDA graphs, torch.compile, or a larger batch "
             "would shorten it.";
  }
  return "";
}

/// Calls of an allocator or a queue are work of the CPU.
void keep_calls_of_cuda(Report& report) {
  const auto others = std::stable_partition(report.calls.begin(), report.calls.end(),
                                            [](const Row& row) { return row.name.starts_with(kCudaPrefix); });
  report.work.insert(report.work.end(), others, report.calls.end());
  report.calls.erase(others, report.calls.end());
  std::ranges::stable_sort(report.work, std::greater<>(), &Row::total);
}

/// Whether a list has a copy of pageable memory.
bool copies_pageable(const application::Calls& calls) {
  return application::any_call(calls, [](const application::Call& call) {
    const auto* const copy = std::get_if<application::Copy>(&call.is);
    return copy != nullptr && copy->memory == application::HostMemory::kPageable;
  });
}

/// The words for a cause that is the largest, and has less than half of the step.
std::string with_less_than_half(std::string text) {
  constexpr std::string_view kMost = "most of the step";
  const std::size_t at = text.find(kMost);
  return at == std::string::npos ? text : text.replace(at, kMost.size(), "the largest part of the step");
}

}  // namespace

Report make_report(application::Application application, std::string system, Times times, Timeline timeline) {
  Report report;
  const std::uint32_t gpu = 0;
  const std::vector<run::KernelCost>& costs = times.costs[times.gpus[gpu].cost_row];
  report.causes = run::break_down(timeline, gpu, costs);
  report.path = path_rows(timeline);
  report.kernels = rows_of(timeline, {ActivityKind::kKernel}, costs);
  report.collectives = rows_of(timeline, {ActivityKind::kCollective});
  report.copies = rows_of(timeline, {ActivityKind::kCopy, ActivityKind::kFill});
  report.calls = rows_of(timeline, {ActivityKind::kCall});
  report.work = rows_of(timeline, {ActivityKind::kWork});
  report.ranges = rows_of(timeline, {ActivityKind::kRange});
  keep_calls_of_cuda(report);
  report.application = std::move(application);
  report.system = std::move(system);
  report.times = std::move(times);
  report.timeline = std::move(timeline);
  return report;
}

std::string verdict(const Report& report) {
  if (report.timeline.step_ns() <= 0) {
    return "Nothing takes any time.";
  }
  const auto most = std::ranges::max_element(report.causes);
  const Cause cause = run::kCauses[static_cast<std::size_t>(most - report.causes.begin())].cause;
  // Where the CPU's own work is most of the path, launches are not what holds the GPU up; short work is a framework's,
  // for a launch.
  constexpr double kLongWork = 100'000;
  const auto own = std::ranges::find(report.work, report.path.front().name, &Row::name);
  if (cause == Cause::kLaunch && own != report.work.end() && own->average() > kLongWork &&
      report.path.front().ns > report.timeline.step_ns() / 2) {
    return "The GPU waits for the CPU, whose work '" + own->name +
           "' takes most of the step: do it in other threads, or less of it.";
  }
  std::string text(advice(cause));
  if (cause == Cause::kCopy && std::ranges::none_of(report.application.bodies, copies_pageable)) {
    text = "Copies that nothing hides take most of the step: a stream of their own would hide them.";
  }
  return *most < report.timeline.step_ns() / 2 ? with_less_than_half(std::move(text)) : text;
}

}  // namespace gpusim::app
