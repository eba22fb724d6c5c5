// SPDX-License-Identifier: MIT
#include "sim/output/html/page.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include <nlohmann/json.hpp>

#include "sim/commands/app/report.h"
#include "sim/commands/app/uses.h"
#include "sim/system/run/critical_path.h"

namespace gpusim::app {

using run::Activity;
using run::ActivityKind;

namespace {

using Json = nlohmann::ordered_json;

/// A page holds so many activities, the first ones of the rounds that count, and so many steps of memory and links.
constexpr std::size_t kMostActivities = 200'000;
constexpr std::size_t kMostSteps = 100'000;

/// What an activity is, as the page colours it. Kernels differ by what bounds them, in the order of run::Bound.
struct KindRow {
  const char* key;
  const char* name;
};
constexpr std::array<KindRow, 10> kKinds{{{"compute", "kernel, bound by compute"},
                                          {"memory", "kernel, bound by memory"},
                                          {"small", "kernel, too small"},
                                          {"recorded", "kernel, recorded"},
                                          {"copy", "copy"},
                                          {"fill", "fill"},
                                          {"collective", "collective"},
                                          {"call", "call of CUDA"},
                                          {"work", "work of the CPU"},
                                          {"range", "named range"}}};
constexpr std::size_t kFirstOther = 4;

std::size_t kind_of(const Report& report, const Activity& activity) {
  switch (activity.kind) {
    case ActivityKind::kKernel: {
      const std::uint32_t row = report.times.gpus[activity.gpu].cost_row;
      return static_cast<std::size_t>(report.times.costs[row][activity.kernel].bound);
    }
    case ActivityKind::kCopy: return kFirstOther;
    case ActivityKind::kFill: return kFirstOther + 1;
    case ActivityKind::kCollective: return kFirstOther + 2;
    case ActivityKind::kCall: return kFirstOther + 3;
    case ActivityKind::kWork: return kFirstOther + 4;
    case ActivityKind::kRange: return kFirstOther + 5;
  }
  return 0;
}

/// A row of the timeline: a stream of a GPU, a thread, or a depth of a thread's ranges.
struct LaneKey {
  bool is_thread = false;  ///< GPUs stand above
  std::uint32_t of = 0;    ///< GPU or thread
  int row = 0;             ///< stream; of a thread 0, and ranges above it from the outermost
  friend auto operator<=>(const LaneKey&, const LaneKey&) = default;
};

constexpr int kMostDepth = 64;

/// Puts activities into lanes. Ranges of a thread may lie in each other.
class Lanes {
 public:
  LaneKey key_of(const Activity& activity) {
    if (activity.is_on_gpu()) {
      return {false, activity.gpu, static_cast<int>(activity.stream)};
    }
    if (activity.kind != ActivityKind::kRange) {
      return {true, activity.thread, 0};
    }
    std::vector<double>& open = open_[activity.thread];
    std::erase_if(open, [&activity](double end) { return end <= activity.begin; });
    open.push_back(activity.end);
    return {true, activity.thread, std::min(static_cast<int>(open.size()), kMostDepth) - 1 - kMostDepth};
  }

 private:
  std::map<std::uint32_t, std::vector<double>> open_;  ///< ends of ranges, by thread
};

Json lane_json(const Report& report, const LaneKey& key) {
  if (key.is_thread) {
    return {{"group", "CPU"},
            {"name", key.row < 0 ? "ranges of " + report.timeline.threads[key.of] : report.timeline.threads[key.of]}};
  }
  return {{"group", report.timeline.gpus[key.of].name},
          {"name", report.application.streams[static_cast<std::size_t>(key.row)].name}};
}

/// Those of the rounds that count, in the order of their begins.
std::vector<std::uint32_t> shown(const run::Timeline& timeline) {
  std::vector<std::uint32_t> found;
  for (std::uint32_t i = 0; i < timeline.activities.size(); ++i) {
    const Activity& activity = timeline.activities[i];
    if (activity.end > timeline.begin && activity.begin < timeline.end && activity.end > activity.begin) {
      found.push_back(i);
    }
  }
  std::ranges::stable_sort(found, {}, [&timeline](std::uint32_t i) { return timeline.activities[i].begin; });
  return found;
}

/// Whole nanoseconds from the begin of the rounds that count.
class Clock {
 public:
  explicit Clock(const run::Timeline& timeline) : begin_(timeline.begin), end_(timeline.end) {}
  [[nodiscard]] std::int64_t at(double time) const { return std::llround(std::clamp(time, begin_, end_) - begin_); }

 private:
  double begin_;
  double end_;
};

/// Texts as numbers, in the order in which they came.
class Names {
 public:
  std::size_t index(const std::string& text) {
    const auto [place, is_new] = index_.emplace(text, list_.size());
    if (is_new) {
      list_.push_back(text);
    }
    return place->second;
  }
  [[nodiscard]] const std::vector<std::string>& list() const { return list_; }

 private:
  std::map<std::string, std::size_t> index_;
  std::vector<std::string> list_;
};

/// Columns of the activities, and what their numbers stand for.
Json activities_json(const Report& report) {
  const run::Timeline& timeline = report.timeline;
  std::vector<std::uint32_t> order = shown(timeline);
  const std::size_t all = order.size();
  order.resize(std::min(all, kMostActivities));
  std::set<std::uint32_t> on_path;
  for (const run::PathPart& part : run::critical_path(timeline)) {
    on_path.insert(part.activity);
  }
  Lanes lanes;
  std::vector<LaneKey> keys;
  std::map<LaneKey, std::size_t> places;
  for (const std::uint32_t i : order) {
    keys.push_back(lanes.key_of(timeline.activities[i]));
    places[keys.back()];
  }
  Json list = Json::array();
  for (auto& [key, place] : places) {
    place = list.size();
    list.push_back(lane_json(report, key));
  }
  const Clock clock(timeline);
  Names names;
  std::array<std::vector<std::int64_t>, 6> columns;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const Activity& activity = timeline.activities[order[i]];
    columns[0].push_back(static_cast<std::int64_t>(places[keys[i]]));
    columns[1].push_back(static_cast<std::int64_t>(kind_of(report, activity)));
    columns[2].push_back(static_cast<std::int64_t>(names.index(name_of(timeline, activity))));
    columns[3].push_back(clock.at(activity.begin));
    columns[4].push_back(clock.at(activity.end));
    columns[5].push_back(on_path.contains(order[i]) ? 1 : 0);
  }
  return {{"lanes", std::move(list)}, {"names", names.list()}, {"left_out", all - order.size()},
          {"lane", columns[0]},       {"kind", columns[1]},    {"name", columns[2]},
          {"begin_ns", columns[3]},   {"end_ns", columns[4]},  {"critical", columns[5]}};
}

/// Steps that are seen in the rounds that count, the one that holds at their begin included; of more than a page holds,
/// every n-th.
template <typename Step>
std::vector<Step> steps_shown(const std::vector<Step>& steps, const run::Timeline& timeline) {
  auto first = std::ranges::upper_bound(steps, timeline.begin, {}, &Step::time);
  first = first == steps.begin() ? first : first - 1;
  const auto last = std::ranges::upper_bound(steps, timeline.end, {}, &Step::time);
  const std::size_t count = first < last ? static_cast<std::size_t>(last - first) : 0;
  const std::size_t stride = count / kMostSteps + 1;
  std::vector<Step> found;
  for (std::size_t i = 0; i < count; i += stride) {
    found.push_back(first[static_cast<std::ptrdiff_t>(i)]);
  }
  return found;
}

Json memory_json(const Report& report) {
  const Clock clock(report.timeline);
  Json list = Json::array();
  for (const run::GpuUse& gpu : report.timeline.gpus) {
    std::vector<std::int64_t> times;
    std::vector<std::uint64_t> allocated;
    std::vector<std::uint64_t> reserved;
    for (const run::MemorySample& sample : steps_shown(gpu.memory.samples, report.timeline)) {
      times.push_back(clock.at(sample.time));
      allocated.push_back(sample.allocated);
      reserved.push_back(sample.reserved);
    }
    if (!times.empty()) {
      list.push_back({{"gpu", gpu.name}, {"at_ns", times}, {"allocated", allocated}, {"reserved", reserved}});
    }
  }
  return list;
}

Json links_json(const Report& report) {
  const Clock clock(report.timeline);
  Json list = Json::array();
  for (const run::LinkSeries& link : report.timeline.links) {
    std::vector<std::int64_t> times;
    std::vector<double> rates;
    for (const run::LinkStep& step : steps_shown(link.steps, report.timeline)) {
      times.push_back(clock.at(step.time));
      rates.push_back(step.rate);
    }
    list.push_back(
        {{"name", link.name}, {"peak_gb_per_second", link.most}, {"at_ns", times}, {"gb_per_second", rates}});
  }
  return list;
}

template <typename Rows>
Json words_of(const Rows& rows) {
  Json list = Json::array();
  for (const auto& row : rows) {
    list.push_back({{"key", row.key}, {"name", row.name}, {"meaning", row.meaning}});
  }
  return list;
}

Json kinds_json() {
  Json list = Json::array();
  for (const KindRow& kind : kKinds) {
    list.push_back({{"key", kind.key}, {"name", kind.name}});
  }
  return list;
}

}  // namespace

std::string page_data(const Report& report) {
  const auto text = [](const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); };
  return "{\"report\":" + to_json(report) + ",\"causes\":" + text(words_of(run::kCauses)) +
         ",\"uses\":" + text(words_of(kUses)) + ",\"kinds\":" + text(kinds_json()) +
         ",\"span_ns\":" + text(report.timeline.end - report.timeline.begin) +
         ",\"activities\":" + text(activities_json(report)) + ",\"memory\":" + text(memory_json(report)) +
         ",\"links\":" + text(links_json(report)) + "}";
}

std::string to_page(const Report& report) {
  return html::app_page(page_data(report));
}

}  // namespace gpusim::app
