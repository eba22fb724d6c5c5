// SPDX-License-Identifier: MIT
// A Chrome trace with the names of Kineto, so that Perfetto, HTA and chrome://tracing read it.
#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include <nlohmann/json.hpp>

#include "sim/commands/app/report.h"

namespace gpusim::app {
namespace {

using Json = nlohmann::ordered_json;
using run::Activity;
using run::ActivityKind;

/// The process number of the CPU; those of GPUs are theirs.
constexpr int kCpu = 1000;

std::string_view category(const Report& report, const Activity& activity) {
  switch (activity.kind) {
    case ActivityKind::kWork: return "cpu_op";
    case ActivityKind::kCall: return is_of_cuda(report.timeline, activity) ? "cuda_runtime" : "cpu_op";
    case ActivityKind::kRange: return "user_annotation";
    case ActivityKind::kCopy: return "gpu_memcpy";
    case ActivityKind::kFill: return "gpu_memset";
    case ActivityKind::kKernel:
    case ActivityKind::kCollective: return "kernel";
  }
  return "";
}

/// CUDA's legacy default stream has this number there; others come behind those of the driver.
constexpr std::uint32_t kDefaultStream = 7;
constexpr std::uint32_t kFirstStream = 12;

std::uint32_t stream_number(std::uint32_t stream) {
  return stream == 0 ? kDefaultStream : kFirstStream + stream;
}

/// As Kineto names them. A call that waits for its copy is one of pageable memory.
std::string memcpy_name(application::Way way, bool is_pageable) {
  const std::string memory = is_pageable ? "Pageable" : "Pinned";
  switch (way) {
    case application::Way::kToDevice: return "Memcpy HtoD (" + memory + " -> Device)";
    case application::Way::kToHost: return "Memcpy DtoH (Device -> " + memory + ")";
    case application::Way::kOnDevice: return "Memcpy DtoD";
    default: return "Memcpy PtoP";
  }
}

/// A collective in the words of PyTorch and of NCCL.
struct CollectiveWords {
  collective::Collective of;
  const char* name;
  const char* kernel;
  bool adds = false;      ///< its kernel is of an operation and a type
  bool gathers = false;   ///< a rank gives a part of the bytes
  bool scatters = false;  ///< a rank gets a part of the bytes
};
constexpr std::array<CollectiveWords, 7> kCollectives{
    {{collective::Collective::kAllReduce, "allreduce", "AllReduce", true},
     {collective::Collective::kAllGather, "_allgather_base", "AllGather", false, true},
     {collective::Collective::kReduceScatter, "_reduce_scatter_base", "ReduceScatter", true, false, true},
     {collective::Collective::kBroadcast, "broadcast", "Broadcast"},
     {collective::Collective::kReduce, "reduce", "Reduce", true},
     {collective::Collective::kAllToAll, "all_to_all", "SendRecv"},
     {collective::Collective::kSendReceive, "send", "SendRecv"}}};

const CollectiveWords& words_of(const Report& report, const Activity& activity) {
  const auto of = arch::value_of<collective::Collective>(report.timeline.names[activity.name]);
  return *std::ranges::find(kCollectives, of, &CollectiveWords::of);
}

/// Bytes of which a message is counted: those of FP32 where they are whole.
bool is_in_floats(const Activity& activity) {
  return std::fmod(activity.bytes, sizeof(float)) == 0;
}

std::string collective_name(const Report& report, const Activity& activity) {
  if (collective::is_custom(activity.algorithm)) {  // as vLLM calls it
    const bool is_one = activity.algorithm == collective::Algorithm::kOneShot;
    return std::string("void vllm::cross_device_reduce_") + (is_one ? "1stage" : "2stage");
  }
  const CollectiveWords& words = words_of(report, activity);
  const std::string kernel = "ncclDevKernel_" + std::string(words.kernel);
  return std::string_view(words.kernel) == "SendRecv"
             ? kernel + "(ncclDevKernelArgsStorage<4096ul>)"
             : kernel + (words.adds ? is_in_floats(activity) ? "_Sum_f32" : "_Sum_u8" : "") +
                   "_RING_LL(ncclDevKernelArgsStorage<4096ul>)";
}

std::string name_in_trace(const Report& report, const Activity& activity) {
  const run::Timeline& timeline = report.timeline;
  switch (activity.kind) {
    case ActivityKind::kCopy:
      return memcpy_name(activity.way, timeline.names[timeline.activities[activity.call].name] == "cudaMemcpy");
    case ActivityKind::kFill: return "Memset (Device)";
    case ActivityKind::kCollective: return collective_name(report, activity);
    default: return report.timeline.names[activity.name];
  }
}

/// Calls count from 1 on: 0 is none.
std::uint32_t correlation_of(std::uint32_t call) {
  return call + 1;
}

Json name_event(const char* what, int process, int thread, const std::string& name) {
  return {{"ph", "M"}, {"name", what}, {"pid", process}, {"tid", thread}, {"args", {{"name", name}}}};
}

/// What PyTorch writes beside a kernel of NCCL.
void add_collective(const Report& report, const Activity& activity, Json& args) {
  const run::Timeline& timeline = report.timeline;
  const CollectiveWords& words = words_of(report, activity);
  std::vector<std::uint32_t> ranks;
  if (activity.group == run::kNone) {
    ranks.resize(timeline.gpu_of_rank.size());
    std::iota(ranks.begin(), ranks.end(), 0);
  } else {
    ranks = timeline.groups[activity.group];
  }
  const double element_bytes = is_in_floats(activity) ? 4 : 1;
  const auto elements = static_cast<std::uint64_t>(activity.bytes / element_bytes);
  const std::uint64_t part = std::max<std::uint64_t>(1, elements / ranks.size());
  args["Collective name"] = words.name;
  args["In msg nelems"] = words.gathers ? part : elements;
  args["Out msg nelems"] = words.scatters ? part : elements;
  args["dtype"] = is_in_floats(activity) ? "Float" : "Byte";
  args["Group size"] = ranks.size();
  args["Process Group Name"] = activity.group == run::kNone ? "0" : std::to_string(activity.group + 1);
  args["Process Group Ranks"] = ranks;
}

/// How a kernel fills its GPU. What Kineto has no word for begins with gpusim.
void add_kernel(const Report& report, const Activity& activity, Json& args) {
  const run::GpuFacts& facts = report.times.gpus[activity.gpu];
  const run::KernelCost& cost = report.times.costs[facts.cost_row][activity.kernel];
  args["gpusim alone us"] = cost.ns / kNsPerUs;
  if (cost.tail_share > 0) {
    args["grid"] = {run::ctas_of(cost, facts.sms), 1, 1};
    args["gpusim CTAs per SM"] = std::llround(cost.slots / facts.sms);
  }
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
                    {"tid", stream_number(work.stream)},
                    {"ts", work.begin / kNsPerUs},
                    {"cat", "ac2g"},
                    {"name", "ac2g"},
                    {"bp", "e"}});
}

void add_activity(const Report& report, const Activity& activity, Json& events) {
  const bool is_on_gpu = activity.is_on_gpu();
  Json event{{"ph", "X"},
             {"cat", category(report, activity)},
             {"name", name_in_trace(report, activity)},
             {"pid", is_on_gpu ? static_cast<int>(activity.gpu) : kCpu},
             {"tid", is_on_gpu ? stream_number(activity.stream) : activity.thread},
             {"ts", activity.begin / kNsPerUs},
             {"dur", (activity.end - activity.begin) / kNsPerUs}};
  if (is_on_gpu) {
    Json args{{"device", activity.gpu},
              {"stream", stream_number(activity.stream)},
              {"correlation", correlation_of(activity.call)}};
    if (activity.kind == ActivityKind::kCollective) {
      add_collective(report, activity, args);
    } else if (activity.kind == ActivityKind::kKernel) {
      add_kernel(report, activity, args);
    } else {
      args["bytes"] = activity.bytes;
    }
    event["args"] = std::move(args);
    add_flow(events, report.timeline.activities[activity.call], activity, correlation_of(activity.call));
  } else if (activity.kind == ActivityKind::kCall) {
    const auto index = static_cast<std::uint32_t>(&activity - report.timeline.activities.data());
    event["args"] = {{"correlation", correlation_of(index)}};
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

/// What calls waited for, or let streams wait for, as Kineto's cuda_sync events.
void add_syncs(const Report& report, Json& events) {
  static constexpr std::array<const char*, 3> kKinds{"Stream Wait Event", "Stream Sync", "Event Sync"};
  for (const run::SyncNote& sync : report.timeline.syncs) {
    const Activity& call = report.timeline.activities[sync.call];
    if (call.end <= 0) {
      continue;
    }
    const char* const kind = kKinds[static_cast<std::size_t>(sync.kind)];
    Json args{{"cuda_sync_kind", kind},
              {"device", call.gpu},
              {"stream", stream_number(sync.stream)},
              {"correlation", correlation_of(sync.call)}};
    if (sync.kind != run::SyncNote::Kind::kStream) {
      args["wait_on_stream"] = stream_number(sync.recorded_stream);
      args["wait_on_cuda_event_record_corr_id"] = correlation_of(sync.record);
    }
    events.push_back({{"ph", "X"},
                      {"cat", "cuda_sync"},
                      {"name", kind},
                      {"pid", call.gpu},
                      {"tid", stream_number(sync.stream)},
                      {"ts", call.begin / kNsPerUs},
                      {"dur", (call.end - call.begin) / kNsPerUs},
                      {"args", std::move(args)}});
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
    devices.push_back({{"id", i},
                       {"name", report.timeline.gpus[i].arch},
                       {"totalGlobalMem", report.times.gpus[i].offer.total},
                       {"numSms", report.times.gpus[i].sms}});
    for (std::size_t j = 0; j < report.application.streams.size(); ++j) {
      events.push_back(name_event("thread_name", process,
                                  static_cast<int>(stream_number(static_cast<std::uint32_t>(j))),
                                  "stream " + report.application.streams[j].name));
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
  add_syncs(report, events);
  add_links(report, events);
  Json root{{"schemaVersion", 1}, {"displayTimeUnit", "ms"}, {"deviceProperties", devices}};
  if (const std::size_t ranks = report.timeline.gpu_of_rank.size(); ranks > 1) {
    root["distributedInfo"] = {{"backend", "nccl"}, {"rank", 0}, {"world_size", ranks}};
  }
  root["traceEvents"] = std::move(events);
  return root.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace gpusim::app
