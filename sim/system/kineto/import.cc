// SPDX-License-Identifier: MIT
#include "sim/system/kineto/import.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "sim/base/hash.h"
#include "sim/base/problem.h"
#include "sim/base/text.h"
#include "sim/base/units.h"
#include "sim/system/application/check.h"
#include "sim/system/application/each_call.h"
#include "sim/system/config/names.h"
#include "sim/system/config/system.h"
#include "sim/system/kineto/events.h"
#include "sim/system/kineto/gpu_name.h"

namespace gpusim::kineto {

using application::Application;
using application::Calls;
using application::Index;

namespace {

/// PyTorch's current stream unless a program asks for another one: CUDA's legacy default stream.
constexpr std::int64_t kDefaultStream = 7;
constexpr std::uint64_t kMostRanks = system::kMostOfRange;
/// A call that takes longer than usual, and whose work begins so much later (nanoseconds), waited for a full stream,
/// which a replay does of itself.
constexpr double kFarBehind = 50'000;

std::optional<collective::Collective> collective_of(std::string_view name) {
  std::string plain;
  std::ranges::copy_if(name, std::back_inserter(plain), [](char c) { return c != '_' && c != '-'; });
  std::ranges::transform(plain, plain.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  using collective::Collective;
  static const std::map<std::string, Collective, std::less<>> kNames{
      {"allreduce", Collective::kAllReduce},
      {"allgather", Collective::kAllGather},
      {"allgatherbase", Collective::kAllGather},
      {"reducescatter", Collective::kReduceScatter},
      {"reducescatterbase", Collective::kReduceScatter},
      {"broadcast", Collective::kBroadcast},
      {"reduce", Collective::kReduce},
      {"send", Collective::kSendReceive},
      {"recv", Collective::kSendReceive},
      {"isend", Collective::kSendReceive},
      {"irecv", Collective::kSendReceive},
      {"allreducecoalesced", Collective::kAllReduce},
      {"allgatherintotensorcoalesced", Collective::kAllGather},
      {"reducescattertensorcoalesced", Collective::kReduceScatter},
      {"alltoallbase", Collective::kAllToAll},
      {"alltoallv", Collective::kAllToAll},
      {"alltoall", Collective::kAllToAll}};
  const auto found = kNames.find(plain);
  return found == kNames.end() ? std::nullopt : std::optional(found->second);
}

bool is_synchronization(std::string_view name) {
  return name.find("Synchronize") != std::string_view::npos;
}

/// CTAs of a kernel that an SM holds: as its threads, registers and shared memory allow on GPUs since Volta, roughly.
std::uint32_t ctas_per_sm(const Work& work) {
  constexpr std::uint64_t kThreads = 2048;
  constexpr std::uint64_t kRegisters = 65536;
  constexpr std::uint64_t kShared = 227 * 1024;
  constexpr std::uint64_t kMost = 32;
  std::uint64_t most = work.ctas_per_sm > 0 ? std::min(work.ctas_per_sm, kMost) : kMost;
  if (work.threads > 0) {
    most = std::min(most, kThreads / std::min(work.threads, kThreads));
    most = work.registers > 0 ? std::min(most, kRegisters / (work.registers * work.threads)) : most;
  }
  most = work.shared_bytes > 0 ? std::min(most, kShared / work.shared_bytes) : most;
  return static_cast<std::uint32_t>(std::max<std::uint64_t>(1, most));
}

void drop_waits(const std::set<Index>& recorded, Calls& calls) {
  std::erase_if(calls, [&](const application::Call& call) {
    const auto* const wait = std::get_if<application::WaitForEvent>(&call.is);
    return wait != nullptr && !recorded.contains(wait->event);
  });
  for (application::Call& call : calls) {
    if (Calls* const body = application::body_of(call)) {
      drop_waits(recorded, *body);
    } else if (auto* const wait = std::get_if<application::Synchronize>(&call.is);
               wait != nullptr && wait->of == application::SyncOf::kEvent && !recorded.contains(wait->which)) {
      *wait = {};
    }
  }
}

/// A call that records an event may be part of another one, which a replay does whole. Streams then do not wait for the
/// event, and threads wait for the GPU.
void drop_unrecorded(Application& made) {
  std::set<Index> recorded;
  for (const Calls& body : made.bodies) {
    application::for_each_call(body, [&recorded](const application::Call& call) {
      if (const auto* const record = std::get_if<application::Record>(&call.is)) {
        recorded.insert(record->event);
      }
    });
  }
  for (Calls& body : made.bodies) {
    drop_waits(recorded, body);
  }
}

/// What tells kernels of an application apart.
struct KernelKey {
  std::string_view name;
  std::int64_t ns = 0;
  std::uint64_t ctas = 0;
  std::uint32_t operation = 0;  ///< number of what it does
  friend bool operator==(const KernelKey&, const KernelKey&) = default;

  struct Hash {
    std::size_t operator()(const KernelKey& key) const {
      return mix64(mix64(std::hash<std::string_view>{}(key.name) ^ static_cast<std::uint64_t>(key.ns)) ^ key.ctas ^
                   (std::uint64_t{key.operation} << 40));
    }
  };
};

/// A graph that calls launched, as often as its nodes were alike: their times are added up.
struct GraphShape {
  std::uint64_t launches = 0;
  std::vector<double> ns;  ///< by node
  double gap_ns = 0;       ///< between nodes of a stream, all together
  std::uint64_t gaps = 0;
  std::optional<Index> graph{};  ///< index among those of the application, once made
};

/// What tells graphs apart: kind, name, stream, CTAs and bytes of each node.
using GraphKey = std::vector<std::uint64_t>;

GraphKey graph_key(const std::vector<Work>& work) {
  GraphKey key;
  for (const Work& node : work) {
    key.insert(key.end(), {static_cast<std::uint64_t>(node.kind), std::hash<std::string_view>{}(node.name),
                           static_cast<std::uint64_t>(node.stream), node.ctas, node.bytes});
  }
  return key;
}

/// A longer gap is a wait for something.
constexpr double kLongestGap = 10'000;

void add_launch(const std::vector<Work>& work, GraphShape& shape) {
  ++shape.launches;
  shape.ns.resize(work.size(), 0);
  std::unordered_map<std::int64_t, double> ends;  // by stream
  for (std::size_t i = 0; i < work.size(); ++i) {
    shape.ns[i] += work[i].ns;
    const auto [last, is_first] = ends.try_emplace(work[i].stream, 0);
    const double gap = work[i].begin - last->second;
    if (!is_first && gap >= 0 && gap < kLongestGap) {
      shape.gap_ns += gap;
      ++shape.gaps;
    }
    last->second = work[i].begin + work[i].ns;
  }
}

/// For each node the one on another stream that ended last before it began, where no node of its own stream ended
/// later: traces do not say what a node of a graph waited for.
std::vector<std::optional<std::size_t>> awaited_nodes(const std::vector<Work>& work) {
  struct Last {
    double end = 0;
    std::size_t node = 0;
  };
  std::vector<std::optional<std::size_t>> awaited(work.size());
  std::map<std::int64_t, Last> last;  // by stream
  for (std::size_t i = 0; i < work.size(); ++i) {
    double latest = last.contains(work[i].stream) ? last[work[i].stream].end : -1;
    for (const auto& [stream, before] : last) {
      if (stream != work[i].stream && before.end > latest && before.end <= work[i].begin) {
        latest = before.end;
        awaited[i] = before.node;
      }
    }
    last[work[i].stream] = {work[i].begin + work[i].ns, i};
  }
  return awaited;
}

class Importer {
 public:
  Importer(std::filesystem::path file, Events events, std::string description)
      : file_(std::move(file)), events_(std::move(events)), description_(std::move(description)) {
    for (const auto& [thread, calls] : events_.calls) {
      begin_ = std::min(begin_, calls.front().begin);
      add_graphs(calls);
      for (const Call& call : calls) {
        usual_[call.name].push_back(call.ns);
        called_.insert(call.correlation);
      }
    }
    std::set<std::int64_t> devices;
    for (const auto& [correlation, work] : events_.work) {
      std::ranges::transform(work, std::inserter(devices, devices.end()), &Work::device);
    }
    has_all_ranks_ = events_.world > 1 && devices.size() == events_.world;
    for (const auto& [correlation, sync] : events_.syncs) {
      if (sync.record != 0 && called_.contains(sync.record)) {
        recorded_.emplace(sync.record, sync.recorded_on >= 0 ? sync.recorded_on : 0);
      }
    }
    for (auto& [name, times] : usual_) {
      std::ranges::nth_element(times, times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2));
    }
  }

  Imported run() {
    Application& made = out_.application;
    made.name = file_.filename().string();
    made.path = file_.string();
    out_.arch = arch_of_gpu(events_.gpu);
    out_.gpu = printable(events_.gpu);
    made.description = description_ + (out_.gpu.empty() ? "" : ", of " + out_.gpu);
    made.streams = {{std::string(application::kDefaultStream), true}};
    out_.has_shapes = events_.has_shapes;
    out_.orphans = events_.orphans;
    out_.negative = events_.negative;
    out_.first_negative = events_.first_negative;
    for (const auto& [thread, calls] : events_.calls) {
      add_thread(thread, calls);
    }
    drop_unrecorded(made);
    repeat_for_ranks();
    application::check(made);
    return std::move(out_);
  }

 private:
  void add_thread(std::int64_t thread, const std::vector<Call>& calls);
  void add_call(const Call& call, Calls& calls);
  void add_graphs(const std::vector<Call>& calls);
  void add_graph(const Call& call, const std::vector<Work>& work, Calls& calls);
  [[nodiscard]] Calls nodes_of(const std::vector<Work>& work, const GraphShape& shape);
  void add_node(const Work& work, double ns, Calls& calls);
  void take_device(const Work& work);
  void add_work(const Work& work, Calls& calls);
  void add_gap(double ns, Calls& calls) const;
  void require_short(double ns) const;
  void repeat_for_ranks();
  [[nodiscard]] double time_of(const Call& call) const;
  [[nodiscard]] Index kernel_of(const Work& work, double took);
  [[nodiscard]] std::uint32_t operation_number(const Work& work);
  [[nodiscard]] Index stream_of(std::int64_t stream);
  [[nodiscard]] Index event_of(std::int64_t record);
  bool add_sync(const Call& call, Calls& calls);
  void set_group(const CollectiveWork& work, application::RunCollective& run) const;
  void add_copy(const Work& work, Index stream, Calls& calls);

  std::filesystem::path file_;
  Events events_;
  std::string description_;
  std::unordered_set<std::int64_t> called_;        ///< correlations of calls
  std::map<std::int64_t, std::int64_t> recorded_;  ///< streams of awaited events, by correlation of their record
  std::map<std::int64_t, Index> event_of_;         ///< by correlation of the record
  double begin_ = 1e300;
  std::unordered_map<std::string_view, std::vector<double>> usual_;  ///< times by call; the middle one is in the middle
  Imported out_;
  std::unordered_map<KernelKey, Index, KernelKey::Hash> kernels_;
  std::map<std::pair<std::uint32_t, std::string_view>, std::uint32_t> read_;  ///< by operator and name of the kernel
  std::map<application::Operation, std::uint32_t> numbers_;                   ///< from 1 on
  std::vector<application::Operation> operations_;                            ///< by number - 1
  std::map<std::string, std::uint64_t> names_;  ///< numbers given to kernels of a name so far
  std::set<std::string> taken_;
  std::map<std::int64_t, Index> streams_;
  std::unordered_set<std::int64_t> graphs_of_;  ///< correlations of calls that launch a graph
  std::map<GraphKey, GraphShape> shapes_;
  std::optional<std::int64_t> device_;  ///< GPU of the thread that is being read
  std::uint64_t ranks_ = 1;
  bool has_all_ranks_ = false;  ///< whether the trace has all GPUs of the job, as ours have
};

/// Throws for a time that no application may have, or that is none.
void Importer::require_short(double ns) const {
  constexpr double kLongest = 1e12;
  if (!(ns < kLongest)) {
    throw InputError({{file_.string(), 0, 0}, "has times more than 1,000 seconds apart", "profile a few steps"});
  }
}

double Importer::time_of(const Call& call) const {
  const auto work = events_.work.find(call.correlation);
  const bool is_far_behind =
      work != events_.work.end() && work->second.front().begin > call.begin + call.ns + kFarBehind;
  const std::vector<double>& times = usual_.at(call.name);
  return is_far_behind ? std::min(call.ns, times[times.size() / 2]) : call.ns;
}

/// What the CPU does between calls, as far as the calls of a replay do not take as long themselves.
void Importer::add_gap(double ns, Calls& calls) const {
  require_short(ns);
  auto* const last = calls.empty() ? nullptr : std::get_if<application::Work>(&calls.back().is);
  if (last != nullptr) {
    last->ns += std::max(0.0, std::round(ns));
    require_short(last->ns);
  } else if (ns >= 1) {
    calls.push_back({application::Work{std::round(ns), "CPU"}, {}});
  }
}

/// A number for what a kernel does by the shapes of its operator's inputs; 0: not known.
std::uint32_t Importer::operation_number(const Work& work) {
  if (work.op == 0) {
    return 0;
  }
  const auto [known, is_new] = read_.try_emplace({work.op, work.name}, 0);
  if (is_new) {
    if (const auto operation = operation_of(events_.operators.list()[work.op - 1], work.name)) {
      known->second = numbers_.try_emplace(*operation, static_cast<std::uint32_t>(numbers_.size() + 1)).first->second;
      operations_.resize(numbers_.size());
      operations_[known->second - 1] = *operation;
    }
  }
  return known->second;
}

/// Kernels of a name that took other times are other kernels, which tables put together.
Index Importer::kernel_of(const Work& work, double took) {
  constexpr std::size_t kLongestName = 64;
  require_short(took);
  const auto ns = static_cast<std::int64_t>(std::llround(std::max(1.0, took)));
  const std::uint32_t operation = operation_number(work);
  const auto [known, is_new] =
      kernels_.try_emplace({work.name, ns, work.ctas, operation}, static_cast<Index>(out_.application.kernels.size()));
  if (is_new) {
    application::Kernel kernel;
    const std::string whole = printable(work.name);
    const std::string name = clipped(whole, kLongestName);
    kernel.name = name;
    while (!taken_.insert(kernel.name).second) {
      kernel.name = name + " " + std::to_string(++names_[name] + 1);
    }
    kernel.label = kernel.name == whole ? "" : whole;
    kernel.how = application::Recorded{static_cast<double>(ns), out_.arch,
                                       operation == 0 ? std::nullopt : std::optional(operations_[operation - 1])};
    kernel.ctas = work.ctas;
    kernel.ctas_per_sm = ctas_per_sm(work);
    out_.application.kernels.push_back(std::move(kernel));
  }
  return known->second;
}

Index Importer::stream_of(std::int64_t stream) {
  if (stream == kDefaultStream || stream <= 0) {
    return 0;
  }
  const auto [known, is_new] = streams_.try_emplace(stream, static_cast<Index>(out_.application.streams.size()));
  if (is_new) {
    out_.application.streams.push_back({"stream" + std::to_string(stream), false});
  }
  return known->second;
}

void Importer::take_device(const Work& work) {
  if (device_ && *device_ != work.device) {
    throw InputError({{file_.string(), 0, 0},
                      "a thread uses GPU " + std::to_string(*device_) + " and GPU " + std::to_string(work.device),
                      "each thread of an application has one GPU"});
  }
  if (work.device < 0 || work.device >= static_cast<std::int64_t>(kMostRanks)) {
    throw InputError({{file_.string(), 0, 0}, "has work of GPU " + std::to_string(work.device), "GPUs count from 0"});
  }
  device_ = work.device;
}

void Importer::add_work(const Work& work, Calls& calls) {
  take_device(work);
  const Index stream = stream_of(work.stream);
  const CollectiveWork* const collective = work.collective.get();
  const auto of = collective == nullptr ? std::nullopt : collective_of(collective->name);
  if (of && collective->ranks > 1 && collective->message_bytes > 0) {
    if (collective->ranks > kMostRanks) {
      throw InputError({{file_.string(), 0, 0},
                        "a collective of " + counted(collective->ranks, "rank") + ", and an application has at most " +
                            std::to_string(kMostRanks),
                        ""});
    }
    ++out_.collectives;
    ranks_ = std::max(ranks_, collective->ranks);
    application::RunCollective run{*of, std::min<std::uint64_t>(collective->message_bytes, kTi), stream};
    const bool is_custom = work.name.find("cross_device_reduce_") != std::string_view::npos;  // vLLM's
    run.library = is_custom ? collective::Library::kCustom : collective::Library::kNccl;
    set_group(*collective, run);
    calls.push_back({run, {}});
    return;
  }
  add_node(work, work.alone_ns > 0 ? work.alone_ns : work.ns, calls);
}

/// Work other than collectives that are timed anew.
void Importer::add_node(const Work& work, double ns, Calls& calls) {
  const Index stream = stream_of(work.stream);
  switch (work.kind) {
    case WorkKind::kKernel:
      out_.recorded_collectives += work.name.starts_with("nccl") ? 1 : 0;
      ++out_.kernels;
      out_.with_shapes += operation_number(work) != 0 ? 1 : 0;
      calls.push_back({application::Launch{kernel_of(work, ns), stream}, {}});
      return;
    case WorkKind::kFill:
      calls.push_back({application::Fill{std::clamp<std::uint64_t>(work.bytes, 1, kTi), stream}, {}});
      return;
    case WorkKind::kCopy: break;
  }
  add_copy(work, stream, calls);
}

/// A group of some of the job's ranks: by their list those that are as far apart, without it those side by side.
void Importer::set_group(const CollectiveWork& work, application::RunCollective& run) const {
  if (work.ranks >= events_.world) {
    return;
  }
  run.ranks = static_cast<std::uint32_t>(work.ranks);
  const std::vector<std::uint64_t>& group = work.group;
  const std::uint64_t stride = group.size() == work.ranks && group[1] > group[0] ? group[1] - group[0] : 1;
  bool is_even = true;
  for (std::size_t i = 1; i < group.size(); ++i) {
    is_even = is_even && group[i] == group[i - 1] + stride;
  }
  run.first = has_all_ranks_ && !group.empty() ? static_cast<std::uint32_t>(group.front()) : 0;
  if (!is_even || (!has_all_ranks_ && events_.world % (work.ranks * stride) != 0)) {
    throw InputError({{file_.string(), 0, 0},
                      "a collective of " + counted(work.ranks, "rank") + " of " + std::to_string(events_.world) +
                          " that are not equally far apart, or do not divide them",
                      "groups as of FSDP with a device mesh are imported"});
  }
  run.stride = static_cast<std::uint32_t>(stride);
}

/// To and from the host by the names of profilers; between GPUs where both are known, else within the GPU.
void Importer::add_copy(const Work& work, Index stream, Calls& calls) {
  application::Copy copy;
  copy.bytes = std::clamp<std::uint64_t>(work.bytes, 1, kTi);
  copy.stream = stream;
  const auto has = [&work](std::string_view part) { return work.name.find(part) != std::string_view::npos; };
  const std::int64_t other = work.from_device == work.device ? work.to_device : work.from_device;
  const bool is_peer =
      has("PtoP") && other >= 0 && other != work.device && other < static_cast<std::int64_t>(kMostRanks);
  copy.way = has("HtoD")                       ? application::Way::kToDevice
             : has("DtoH")                     ? application::Way::kToHost
             : !is_peer                        ? application::Way::kOnDevice
             : work.from_device == work.device ? application::Way::kToPeer
                                               : application::Way::kFromPeer;
  copy.peer = is_peer ? "gpu" + std::to_string(other) : "";
  copy.memory = has("Pageable") ? application::HostMemory::kPageable : application::HostMemory::kPinned;
  calls.push_back({std::move(copy), {}});
}

Index Importer::event_of(std::int64_t record) {
  const auto [known, is_new] = event_of_.try_emplace(record, static_cast<Index>(out_.application.events.size()));
  if (is_new) {
    out_.application.events.push_back("event" + std::to_string(known->second));
  }
  return known->second;
}

/// What the profiler says of a call that waits, or that records an event for which others wait. False: nothing.
bool Importer::add_sync(const Call& call, Calls& calls) {
  if (const auto recorded = recorded_.find(call.correlation); recorded != recorded_.end()) {
    calls.push_back({application::Record{event_of(call.correlation), stream_of(recorded->second)}, {}});
    return true;
  }
  const auto found = events_.syncs.find(call.correlation);
  if (found == events_.syncs.end() || call.correlation == 0) {
    return false;
  }
  const Sync& sync = found->second;
  const bool has_event = recorded_.contains(sync.record);
  if (sync.kind == SyncKind::kStreamWait) {
    if (has_event) {
      calls.push_back({application::WaitForEvent{event_of(sync.record), stream_of(sync.stream)}, {}});
    }
    return has_event;
  }
  const application::SyncOf of = sync.kind == SyncKind::kStream               ? application::SyncOf::kStream
                                 : sync.kind == SyncKind::kEvent && has_event ? application::SyncOf::kEvent
                                                                              : application::SyncOf::kDevice;
  const Index which = of == application::SyncOf::kStream  ? stream_of(sync.stream)
                      : of == application::SyncOf::kEvent ? event_of(sync.record)
                                                          : 0;
  calls.push_back({application::Synchronize{of, which}, {}});
  return true;
}

/// Notes the graphs that a thread's calls launch, so that each has the mean times of all its launches.
void Importer::add_graphs(const std::vector<Call>& calls) {
  for (const Call& call : calls) {
    const auto work = events_.work.find(call.correlation);
    if (call.correlation != 0 && work != events_.work.end() && work->second.size() > 1 &&
        graphs_of_.insert(call.correlation).second) {
      add_launch(work->second, shapes_[graph_key(work->second)]);
    }
  }
}

/// The nodes in their streams; those that waited for another stream wait for an event of it.
Calls Importer::nodes_of(const std::vector<Work>& work, const GraphShape& shape) {
  const std::vector<std::optional<std::size_t>> awaited = awaited_nodes(work);
  std::map<std::size_t, Index> events;  // by node that is awaited
  for (const std::optional<std::size_t>& node : awaited) {
    if (node && !events.contains(*node)) {
      events[*node] = static_cast<Index>(out_.application.events.size());
      out_.application.events.push_back("event" + std::to_string(events[*node]));
    }
  }
  Calls nodes;
  for (std::size_t i = 0; i < work.size(); ++i) {
    const Index stream = stream_of(work[i].stream);
    take_device(work[i]);
    if (awaited[i]) {
      nodes.push_back({application::WaitForEvent{events[*awaited[i]], stream}, {}});
    }
    add_node(work[i], shape.ns[i] / static_cast<double>(shape.launches), nodes);
    if (auto* const copy = std::get_if<application::Copy>(&nodes.back().is)) {
      copy->memory = application::HostMemory::kPinned;  // a graph holds no other
    }
    if (const auto event = events.find(i); event != events.end()) {
      nodes.push_back({application::Record{event->second, stream}, {}});
    }
  }
  return nodes;
}

/// A call with several pieces of work launched a graph.
void Importer::add_graph(const Call& call, const std::vector<Work>& work, Calls& calls) {
  GraphShape& shape = shapes_.at(graph_key(work));
  Application& made = out_.application;
  if (!shape.graph) {
    shape.graph = static_cast<Index>(made.graphs.size());
    application::Graph graph{"graph" + std::to_string(*shape.graph), nodes_of(work, shape), {}, {}};
    if (shape.gaps > 0) {
      graph.gap_ns = std::round(shape.gap_ns / static_cast<double>(shape.gaps));
    }
    made.graphs.push_back(std::move(graph));
  } else {
    take_device(work.front());
    out_.kernels += static_cast<std::uint64_t>(std::ranges::count(work, WorkKind::kKernel, &Work::kind));
  }
  const application::LaunchGraph launch{*shape.graph, stream_of(work.front().stream)};
  const system::CallCosts costs;
  add_gap(time_of(call) - static_cast<double>(costs.graph_ns) -
              static_cast<double>(costs.graph_node_ns) * application::count_calls(made, launch),
          calls);
  calls.push_back({launch, {}});
}

void Importer::add_call(const Call& call, Calls& calls) {
  if (add_sync(call, calls)) {
    return;
  }
  if (is_synchronization(call.name)) {
    calls.push_back({application::Synchronize{}, {}});
    return;
  }
  const auto work = events_.work.find(call.correlation);
  if (call.correlation == 0 || work == events_.work.end()) {
    add_gap(time_of(call), calls);
    return;
  }
  if (work->second.size() > 1) {
    add_graph(call, work->second, calls);
    return;
  }
  const system::CallCosts costs;
  const Work& one = work->second.front();
  if (one.kind == WorkKind::kCopy && one.name.find("Pageable") != std::string_view::npos) {
    add_work(one, calls);  // which stages, and waits, by itself
    return;
  }
  const std::uint64_t replayed = one.kind == WorkKind::kKernel ? costs.launch_ns
                                 : one.kind == WorkKind::kCopy ? costs.copy_ns
                                                               : costs.fill_ns;
  add_gap(time_of(call) - static_cast<double>(replayed), calls);
  add_work(one, calls);
}

/// The ranges of a thread as its calls come: what is open holds them.
class OpenRanges {
 public:
  OpenRanges(const std::vector<NamedRange>& ranges, Calls& outermost) : ranges_(ranges) {
    open_.push_back({"", 1e300, {}});
    outermost_ = &outermost;
  }

  /// Where a call of a time belongs.
  Calls& at(double time) {
    close_until(time);
    while (next_ < ranges_.size() && ranges_[next_].begin <= time) {
      const NamedRange& range = ranges_[next_++];
      if (range.begin + range.ns > time && open_.size() < kDeepest) {
        open_.push_back({std::string(range.name), std::min(range.begin + range.ns, open_.back().end), {}});
      }
    }
    return open_.size() == 1 ? *outermost_ : open_.back().calls;
  }

  /// Closes what ends no later.
  void close_until(double time) {
    while (open_.size() > 1 && open_.back().end <= time) {
      Open done = std::move(open_.back());
      open_.pop_back();
      if (!done.calls.empty()) {
        Calls& around = open_.size() == 1 ? *outermost_ : open_.back().calls;
        around.push_back({application::Range{std::move(done.name), std::move(done.calls)}, {}});
      }
    }
  }

 private:
  static constexpr std::size_t kDeepest = 32;
  struct Open {
    std::string name;
    double end = 0;
    Calls calls;
  };
  const std::vector<NamedRange>& ranges_;
  std::size_t next_ = 0;
  Calls* outermost_ = nullptr;
  std::vector<Open> open_;  ///< the first stands for the thread
};

void Importer::add_thread(std::int64_t thread, const std::vector<Call>& calls) {
  Calls body;
  OpenRanges ranges(events_.ranges[thread], body);
  double now = begin_;
  device_.reset();
  for (const Call& call : calls) {
    if (call.begin < now && call.begin + call.ns <= now) {
      continue;  // part of the call before
    }
    Calls& into = ranges.at(call.begin);
    add_gap(call.begin - now, into);
    add_call(call, into);
    now = std::max(now, call.begin + call.ns);
  }
  constexpr double kForever = 1e301;
  ranges.close_until(kForever);
  body.push_back({application::Synchronize{}, {}});
  Application& made = out_.application;
  made.bodies.push_back(std::move(body));
  made.threads.push_back({"thread" + std::to_string(thread),
                          "gpu" + std::to_string(device_.value_or(0)),
                          static_cast<Index>(made.bodies.size() - 1),
                          false,
                          {}});
}

/// The trace has one rank; the others are taken to do the same.
void Importer::repeat_for_ranks() {
  Application& made = out_.application;
  if (ranks_ == 1 || has_all_ranks_) {
    return;
  }
  ranks_ = std::max(ranks_, events_.world);
  if (ranks_ > kMostRanks) {
    throw InputError({{file_.string(), 0, 0},
                      "is of a job of " + counted(ranks_, "rank"),
                      "an application has at most " + std::to_string(kMostRanks)});
  }
  const std::vector<application::Thread> one = std::move(made.threads);
  made.threads.clear();
  for (const application::Thread& thread : one) {
    for (std::uint64_t rank = 0; rank < ranks_; ++rank) {
      made.threads.push_back(
          {thread.name + "-" + std::to_string(rank), "gpu" + std::to_string(rank), thread.body, false, {}});
    }
  }
}

}  // namespace

Imported import_trace(const std::filesystem::path& file) {
  return import_events(read_events(file), file, "imported from a trace of PyTorch's profiler");
}

Imported import_text(const std::string& text, const std::string& name) {
  return import_events(parse_events(text, name), name, "imported from a trace of PyTorch's profiler");
}

Imported import_events(Events events, const std::filesystem::path& file, const std::string& description) {
  return Importer(file, std::move(events), description).run();
}

}  // namespace gpusim::kineto
