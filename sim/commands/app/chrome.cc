// SPDX-License-Identifier: MIT
// A Chrome trace with the names of Kineto, so that Perfetto, HTA and chrome://tracing read it.
#include <nlohmann/json.hpp>

#include "sim/commands/app/report.h"

namespace gpusim::app {
namespace {

using Json = nlohmann::ordered_json;
using run::Activity;
using run::ActivityKind;

/// The process number of the CPU; those of GPUs are theirs.
constexpr int kCpu = 1000;

std::string_view category(const Activity& activity) {
  switch (activity.kind) {
    case ActivityKind::kWork: return "cpu_op";
    case ActivityKind::kCall: return "cuda_runtime";
    case ActivityKind::kRange: return "user_annotation";
    case ActivityKind::kCopy: return "gpu_memcpy";
    case ActivityKind::kFill: return "gpu_memset";
    case ActivityKind::kKernel:
    case ActivityKind::kCollective: return "kernel";
  }
  return "";
}

/// As Kineto names them.
std::string memcpy_name(application::Way way) {
  switch (way) {
    case application::Way::kToDevice: return "Memcpy HtoD";
    case application::Way::kToHost: return "Memcpy DtoH";
    case application::Way::kOnDevice: return "Memcpy DtoD";
    default: return "Memcpy PtoP";
  }
}

std::string name_in_trace(const Report& report, const Activity& activity) {
  switch (activity.kind) {
    case ActivityKind::kCopy: return memcpy_name(activity.way);
    case ActivityKind::kFill: return "Memset (Device)";
    default: return report.timeline.names[activity.name];
  }
}

Json name_event(const char* what, int process, int thread, const std::string& name) {
  return {{"ph", "M"}, {"name", what}, {"pid", process}, {"tid", thread}, {"args", {{"name", name}}}};
}

/// The arrow from a call to the work that it launched.
void add_flow(Json& events, const Activity& call, const Activity& work, std::uint32_t correlation) {
  const auto thread = static_cast<int>(call.thread);
  events.push_back({{"ph", "s"},
                    {"id", correlation},
                    {"pid", kCpu},
                    {"tid", thread},
                    {"ts", call.begin / kNsPerUs},
                    {"cat", "ac2g"},
                    {"name", "ac2g"}});
  events.push_back({{"ph", "f"},
                    {"id", correlation},
                    {"pid", work.gpu},
                    {"tid", work.stream},
                    {"ts", work.begin / kNsPerUs},
                    {"cat", "ac2g"},
                    {"name", "ac2g"},
                    {"bp", "e"}});
}

void add_activity(const Report& report, const Activity& activity, Json& events) {
  const bool is_on_gpu = activity.is_on_gpu();
  Json event{{"ph", "X"},
             {"cat", category(activity)},
             {"name", name_in_trace(report, activity)},
             {"pid", is_on_gpu ? static_cast<int>(activity.gpu) : kCpu},
             {"tid", is_on_gpu ? activity.stream : activity.thread},
             {"ts", activity.begin / kNsPerUs},
             {"dur", (activity.end - activity.begin) / kNsPerUs}};
  if (is_on_gpu) {
    event["args"] = {{"device", activity.gpu}, {"stream", activity.stream}, {"correlation", activity.call}};
    if (activity.bytes > 0) {
      event["args"]["bytes"] = activity.bytes;
    }
    add_flow(events, report.timeline.activities[activity.call], activity, activity.call);
  } else if (activity.kind == ActivityKind::kCall) {
    const auto index = static_cast<std::uint32_t>(&activity - report.timeline.activities.data());
    event["args"] = {{"correlation", index}};
  }
  events.push_back(std::move(event));
}

/// What links carry, as counters beside the CPU.
void add_links(const Report& report, Json& events) {
  for (const run::LinkSeries& link : report.timeline.links) {
    for (const run::LinkStep& step : link.steps) {
      events.push_back({{"ph", "C"},
                        {"name", link.name},
                        {"pid", kCpu},
                        {"ts", step.time / kNsPerUs},
                        {"args", {{"GB/s", step.rate}}}});
    }
  }
}

}  // namespace

std::string to_chrome(const Report& report) {
  Json events = Json::array();
  events.push_back(name_event("process_name", kCpu, 0, "CPU"));
  for (std::size_t i = 0; i < report.timeline.threads.size(); ++i) {
    events.push_back(name_event("thread_name", kCpu, static_cast<int>(i), report.timeline.threads[i]));
  }
  Json devices = Json::array();
  for (std::size_t i = 0; i < report.timeline.gpus.size(); ++i) {
    const auto process = static_cast<int>(i);
    events.push_back(name_event("process_name", process, 0, report.timeline.gpus[i].name));
    devices.push_back({{"id", i}, {"name", report.timeline.gpus[i].arch}});
    for (std::size_t j = 0; j < report.application.streams.size(); ++j) {
      events.push_back(
          name_event("thread_name", process, static_cast<int>(j), "stream " + report.application.streams[j].name));
    }
  }
  for (const Activity& activity : report.timeline.activities) {
    if (activity.end > 0) {
      add_activity(report, activity, events);
    }
  }
  for (std::size_t i = 0; i < report.timeline.gpus.size(); ++i) {
    for (const run::MemorySample& sample : report.timeline.gpus[i].memory.samples) {
      events.push_back({{"ph", "C"},
                        {"name", "memory"},
                        {"pid", i},
                        {"ts", sample.time / kNsPerUs},
                        {"args", {{"allocated", sample.allocated}, {"reserved", sample.reserved}}}});
    }
  }
  add_links(report, events);
  const Json root{{"schemaVersion", 1},
                  {"displayTimeUnit", "ms"},
                  {"deviceProperties", devices},
                  {"traceEvents", std::move(events)}};
  return root.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace gpusim::app
