// SPDX-License-Identifier: MIT
#include "sim/system/chakra/import.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string_view>
#include <tuple>
#include <utility>

#include "sim/base/problem.h"
#include "sim/base/text.h"
#include "sim/base/units.h"
#include "sim/system/application/check.h"
#include "sim/system/chakra/order.h"
#include "sim/system/config/names.h"
#include "sim/system/config/system.h"

namespace gpusim::chakra {

using application::Application;
using application::Calls;
using application::Index;

namespace {

constexpr std::uint64_t kMostRanks = system::kMostOfRange;
constexpr double kLongestWork = 1e12;  ///< nanoseconds
/// PyTorch's current stream, as profilers number it: CUDA's legacy default stream.
constexpr std::int64_t kDefaultStream = 7;
/// Stands for the stream of communication that names none.
constexpr std::int64_t kCommunication = -1;
constexpr std::uint64_t kMostCtas = std::uint64_t{1} << 40U;
constexpr std::uint64_t kMostPerSm = 64;
constexpr std::uint64_t kBarrierBytes = 4;
/// The peak for work of which only FLOPs and bytes are known.
constexpr const char* kPeak = "bf16_tensor";

std::optional<collective::Collective> collective_of(std::int64_t type) {
  using collective::Collective;
  switch (static_cast<CommType>(type)) {
    case CommType::kAllReduce:
    case CommType::kBarrier: return Collective::kAllReduce;
    case CommType::kReduce: return Collective::kReduce;
    case CommType::kAllGather: return Collective::kAllGather;
    case CommType::kBroadcast: return Collective::kBroadcast;
    case CommType::kAllToAll: return Collective::kAllToAll;
    case CommType::kReduceScatter:
    case CommType::kReduceScatterBlock: return Collective::kReduceScatter;
    default: return std::nullopt;
  }
}

bool is_synchronization(const Node& node) {
  return node.name.find("Synchronize") != std::string::npos;
}

bool is_work(const Node& node) {
  return node.type != NodeType::kMetadata && node.type != NodeType::kInvalid;
}

/// Whether a call waits for all work of its GPU, or for what nobody says.
bool waits_for_device(const Node& node, std::span<const std::size_t> needs, const std::vector<Node>& nodes) {
  const auto is_on_gpu = [&nodes](std::size_t need) { return !nodes[need].is_on_cpu && is_work(nodes[need]); };
  return is_synchronization(node) &&
         (node.name.find("DeviceSynchronize") != std::string::npos || std::ranges::none_of(needs, is_on_gpu));
}

/// Ranks with collectives of a process group.
using Groups = std::map<std::string, std::set<std::uint64_t>, std::less<>>;

/// Makes the threads of ranks, which share kernels, streams and the names of events.
class RankImporter {
 public:
  RankImporter(std::string name, std::uint64_t ranks, Groups groups)
      : name_(std::move(name)), ranks_(ranks), groups_(std::move(groups)) {
    Application& made = out_.application;
    made.name = std::filesystem::path(name_).filename().string();
    made.path = name_;
    made.description = "imported from Chakra execution traces";
    made.streams = {{std::string(application::kDefaultStream), true}};
  }

  /// The body of a rank; its nodes live as long.
  void add_body(const std::vector<Node>& nodes, std::int64_t rank);
  void add_thread(std::uint64_t rank, std::size_t body) {
    const std::string number = std::to_string(rank);
    out_.application.threads.push_back({"rank" + number, "gpu" + number, static_cast<Index>(body), false, {}});
  }
  Imported take() {
    application::check(out_.application);
    return std::move(out_);
  }

 private:
  void plan();
  void add_node(std::size_t at);
  void add_cpu(std::size_t at);
  void add_gpu(std::size_t at);
  void issue(const Node& node, Index stream);
  void add_collective(const Node& node, Index stream);
  void set_group(const Node& node, application::RunCollective& run) const;
  void add_send(const Node& node, Index stream);
  void add_work(double ns, const std::string& name);
  void call(application::Call one) { calls_.push_back(std::move(one)); }
  [[nodiscard]] std::vector<double> own_times() const;
  [[nodiscard]] Index kernel_of(const Node& node);
  [[nodiscard]] Index stream_of(const Node& node);
  [[nodiscard]] Index event_of(std::size_t at);
  [[noreturn]] void refuse(const Node& node, const std::string& message, const std::string& hint = {}) const;

  std::string name_;
  std::uint64_t ranks_;
  Groups groups_;  ///< by pg_name
  Imported out_;
  std::map<std::tuple<std::string, double, double, double>, Index> kernels_;  ///< by name, time, FLOPs, bytes
  std::map<std::string, std::uint64_t> numbers_;                              ///< kernels of a name so far
  std::set<std::string> taken_;
  std::map<std::int64_t, Index> streams_;
  // What follows is of the rank that is being read.
  const std::vector<Node>* nodes_ = nullptr;
  NodeGraph graph_;
  std::int64_t rank_ = 0;
  std::vector<double> own_;              ///< by node of the CPU: its time without that of nodes within it
  std::vector<std::uint64_t> launches_;  ///< by node of the CPU
  std::vector<Index> stream_;            ///< by node of a GPU
  std::vector<bool> has_event_;          ///< whether something else waits for the node
  std::map<std::size_t, Index> events_;  ///< by node
  std::optional<double> covered_;        ///< until when the CPU's work is known
  Calls calls_;
};

void RankImporter::refuse(const Node& node, const std::string& message, const std::string& hint) const {
  throw InputError({{name_, 0, 0},
                    "node " + std::to_string(node.id) + " ('" + clipped(printable(node.name), 40) + "') " + message,
                    hint});
}

/// Nodes of the CPU hold others that begin and end within them on their thread.
std::vector<double> RankImporter::own_times() const {
  std::vector<double> own(nodes_->size(), 0);
  std::map<std::int64_t, std::vector<std::size_t>> by_thread;
  for (std::size_t i = 0; i < nodes_->size(); ++i) {
    if ((*nodes_)[i].is_on_cpu && is_work((*nodes_)[i])) {
      by_thread[(*nodes_)[i].thread].push_back(i);
      own[i] = (*nodes_)[i].ns;
    }
  }
  for (auto& [thread, list] : by_thread) {
    std::ranges::stable_sort(list, [this](std::size_t a, std::size_t b) {
      const Node& first = (*nodes_)[a];
      const Node& second = (*nodes_)[b];
      return first.begin < second.begin || (first.begin == second.begin && first.ns > second.ns);
    });
    std::vector<std::size_t> open;
    for (const std::size_t i : list) {
      const Node& node = (*nodes_)[i];
      while (!open.empty() && (*nodes_)[open.back()].begin + (*nodes_)[open.back()].ns <= node.begin) {
        open.pop_back();
      }
      if (!open.empty()) {
        own[open.back()] = std::max(0.0, own[open.back()] - node.ns);
      }
      open.push_back(i);
    }
  }
  return own;
}

Index RankImporter::stream_of(const Node& node) {
  const bool communicates = node.type == NodeType::kCollective || node.type == NodeType::kSend;
  const std::int64_t number = node.stream.value_or(communicates ? kCommunication : 0);
  if (number == 0 || number == kDefaultStream) {
    return 0;
  }
  Application& made = out_.application;
  const auto [known, is_new] = streams_.try_emplace(number, static_cast<Index>(made.streams.size()));
  if (is_new) {
    const std::string name = number == kCommunication ? "communication"
                             : number < 0             ? "stream-" + std::to_string(known->second)
                                                      : "stream" + std::to_string(number);
    made.streams.push_back({name, false});
  }
  return known->second;
}

/// Streams, what each node of the CPU launches, and which nodes need an event.
void RankImporter::plan() {
  const std::vector<Node>& nodes = *nodes_;
  own_ = own_times();
  launches_.assign(nodes.size(), 0);
  stream_.assign(nodes.size(), 0);
  has_event_.assign(nodes.size(), false);
  std::vector<std::size_t> place(nodes.size());
  for (std::size_t i = 0; i < graph_.order.size(); ++i) {
    place[graph_.order[i]] = i;
  }
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    stream_[i] = nodes[i].is_on_cpu || !is_work(nodes[i]) ? 0 : stream_of(nodes[i]);
  }
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    std::optional<std::size_t> launcher;
    for (const std::size_t need : graph_.needs[i]) {
      if (nodes[need].is_on_cpu) {
        launcher = !launcher || place[need] > place[*launcher] ? need : *launcher;
      } else if (is_work(nodes[need]) && is_work(nodes[i]) &&
                 (nodes[i].is_on_cpu ? !waits_for_device(nodes[i], graph_.needs[i], nodes)
                                     : stream_[i] != stream_[need])) {
        has_event_[need] = true;
      }
    }
    if (!nodes[i].is_on_cpu && is_work(nodes[i]) && launcher) {
      ++launches_[*launcher];
    }
  }
}

void RankImporter::add_work(double ns, const std::string& name) {
  constexpr std::size_t kLongestName = 80;
  if (!(ns < kLongestWork)) {
    throw InputError({{name_, 0, 0}, "has times more than 1,000 seconds apart", "trace a few steps"});
  }
  if (ns >= 1) {
    call({application::Work{std::round(ns), clipped(printable(name), kLongestName)}, {}});
  }
}

Index RankImporter::event_of(std::size_t at) {
  const auto [known, is_new] = events_.try_emplace(at, static_cast<Index>(events_.size()));
  if (is_new && known->second == out_.application.events.size()) {
    out_.application.events.push_back("event" + std::to_string(known->second));
  }
  return known->second;
}

void RankImporter::add_cpu(std::size_t at) {
  const Node& node = (*nodes_)[at];
  if (covered_ && node.begin > *covered_ && !node.is_own) {
    add_work(node.begin - *covered_, "CPU");
  }
  covered_ = std::max(covered_.value_or(0), node.begin + node.ns);
  if (waits_for_device(node, graph_.needs[at], *nodes_)) {
    call({application::Synchronize{}, {}});
    return;
  }
  for (const std::size_t need : graph_.needs[at]) {
    if (has_event_[need]) {
      call({application::Synchronize{application::SyncOf::kEvent, event_of(need)}, {}});
    }
  }
  if (is_synchronization(node)) {
    return;  // its time was the wait
  }
  if (node.is_own && (node.name == "cudaEventRecord" || node.name == "cudaStreamWaitEvent")) {
    return;  // done where the event is recorded, or awaited
  }
  const system::CallCosts costs;
  add_work(own_[at] - static_cast<double>(launches_[at] * costs.launch_ns), node.name);
}

Index RankImporter::kernel_of(const Node& node) {
  constexpr std::size_t kLongestName = 80;
  Application& made = out_.application;
  const double ns = node.alone_ns >= 1 ? node.alone_ns : node.ns;
  const auto [known, is_new] =
      kernels_.try_emplace({node.name, ns, node.flops, node.bytes}, static_cast<Index>(made.kernels.size()));
  if (is_new) {
    application::Kernel kernel;
    const std::string plain = clipped(printable(node.name.empty() ? "kernel" : node.name), kLongestName);
    kernel.name = plain;
    while (!taken_.insert(kernel.name).second) {
      kernel.name = plain + " " + std::to_string(++numbers_[plain] + 1);
    }
    const double flops = std::min(node.flops, 1e18);
    if (ns >= 1) {
      if (!(ns < kLongestWork)) {
        refuse(node, "takes more than 1,000 seconds");
      }
      kernel.how = application::Recorded{std::round(ns), printable(node.arch)};
      kernel.flops = flops;
      kernel.ctas = std::min(node.ctas, kMostCtas);
      kernel.ctas_per_sm = static_cast<std::uint32_t>(std::clamp<std::uint64_t>(node.ctas_per_sm, 1, kMostPerSm));
    } else {
      kernel.how = application::Roofline{flops, std::min(node.bytes, static_cast<double>(kTi)), kPeak};
      kernel.flops = flops;
    }
    made.kernels.push_back(std::move(kernel));
  }
  return known->second;
}

/// The ranks that have collectives of the node's process group, which are equally far apart.
void RankImporter::set_group(const Node& node, application::RunCollective& run) const {
  const auto found = groups_.find(node.group);
  if (found == groups_.end() || found->second.size() == ranks_) {
    return;
  }
  const std::vector<std::uint64_t> ranks(found->second.begin(), found->second.end());
  const std::uint64_t stride = ranks.size() > 1 ? ranks[1] - ranks[0] : 0;
  for (std::size_t i = 1; i < ranks.size(); ++i) {
    if (ranks[i] != ranks[i - 1] + stride) {
      refuse(node, "is of the process group '" + printable(node.group) + "', whose ranks are not equally far apart");
    }
  }
  if (stride == 0) {
    refuse(node, "is of the process group '" + printable(node.group) + "', of which no other rank has a collective",
           "files of all ranks beside it: NAME.0.et, NAME.1.et");
  }
  run.ranks = static_cast<std::uint32_t>(ranks.size());
  run.stride = static_cast<std::uint32_t>(stride);
  run.first = static_cast<std::uint32_t>(ranks.front());
}

void RankImporter::add_collective(const Node& node, Index stream) {
  const std::optional<collective::Collective> of = node.comm ? collective_of(*node.comm) : std::nullopt;
  if (!of) {
    refuse(node, node.comm ? "is of comm_type " + std::to_string(*node.comm) : "is a collective without comm_type",
           "all-reduce 0, reduce 1, all-gather 2, broadcast 5, all-to-all 6, reduce-scatter 7 and 8, barrier 9");
  }
  if (ranks_ < 2) {
    refuse(node, "is a collective, and the trace is of one rank",
           "--ranks N, or files of all ranks beside it: NAME.0.et, NAME.1.et");
  }
  const bool is_barrier = *node.comm == static_cast<std::int64_t>(CommType::kBarrier);
  const std::uint64_t bytes = is_barrier ? kBarrierBytes : std::clamp<std::uint64_t>(node.comm_bytes, 1, kTi);
  ++out_.collectives;
  application::RunCollective run{*of, bytes, stream};
  // The schema has no word for a pair that sends and receives at once, so our own traces have it in the name.
  run.of =
      node.name == arch::word_of(collective::Collective::kSendReceive) ? collective::Collective::kSendReceive : *of;
  set_group(node, run);
  call({run, {}});
}

void RankImporter::add_send(const Node& node, Index stream) {
  if (node.to < 0 || node.to >= static_cast<std::int64_t>(ranks_) || node.to == rank_) {
    refuse(node, "sends to rank " + std::to_string(node.to),
           "the traces are of ranks 0 to " + std::to_string(ranks_ - 1));
  }
  application::Copy copy;
  copy.way = application::Way::kToPeer;
  copy.peer = "gpu" + std::to_string(node.to);
  copy.bytes = std::clamp<std::uint64_t>(node.comm_bytes, 1, kTi);
  copy.stream = stream;
  call({std::move(copy), {}});
}

void RankImporter::issue(const Node& node, Index stream) {
  const bool moves = (node.type == NodeType::kLoad || node.type == NodeType::kStore) && node.bytes >= 1;
  if (moves) {
    application::Copy copy;
    copy.way = node.type == NodeType::kLoad ? application::Way::kToDevice : application::Way::kToHost;
    copy.bytes = static_cast<std::uint64_t>(std::min(node.bytes, static_cast<double>(kTi)));
    copy.stream = stream;
    call({std::move(copy), {}});
  } else if (node.type == NodeType::kCollective) {
    add_collective(node, stream);
  } else if (node.type == NodeType::kSend) {
    add_send(node, stream);
  } else if (node.type == NodeType::kReceive) {
    ++out_.receives;
  } else if (node.ns >= 1 || node.flops > 0 || node.bytes > 0) {
    ++out_.kernels;
    call({application::Launch{kernel_of(node), stream}, {}});
  }
}

void RankImporter::add_gpu(std::size_t at) {
  const Index stream = stream_[at];
  for (const std::size_t need : graph_.needs[at]) {
    if (has_event_[need] && stream_[need] != stream) {
      call({application::WaitForEvent{event_of(need), stream}, {}});
    }
  }
  issue((*nodes_)[at], stream);
  if (has_event_[at]) {
    call({application::Record{event_of(at), stream}, {}});
  }
}

void RankImporter::add_body(const std::vector<Node>& nodes, std::int64_t rank) {
  nodes_ = &nodes;
  rank_ = rank;
  graph_ = order_nodes(nodes, name_);
  events_.clear();
  covered_.reset();
  calls_.clear();
  plan();
  for (const std::size_t at : graph_.order) {
    if (is_work(nodes[at])) {
      nodes[at].is_on_cpu ? add_cpu(at) : add_gpu(at);
    }
  }
  const auto* const last = calls_.empty() ? nullptr : std::get_if<application::Synchronize>(&calls_.back().is);
  if (last == nullptr || last->of != application::SyncOf::kDevice) {
    call({application::Synchronize{}, {}});
  }
  out_.application.bodies.push_back(std::move(calls_));
}

Groups groups_of(const std::vector<std::vector<Node>>& traces) {
  Groups groups;
  for (std::size_t rank = 0; rank < traces.size(); ++rank) {
    for (const Node& node : traces[rank]) {
      if (node.type == NodeType::kCollective && !node.group.empty()) {
        groups[node.group].insert(rank);
      }
    }
  }
  return groups;
}

/// ".et" or ".et.gz"; empty of another file.
std::string ending_of(const std::filesystem::path& file) {
  const std::string name = file.filename().string();
  return name.ends_with(".et") ? ".et" : name.ends_with(".et.gz") ? ".et.gz" : "";
}

/// "NAME." and the number of "NAME.3.et".
std::optional<std::pair<std::string, std::uint64_t>> numbered(const std::filesystem::path& file) {
  const std::string name = file.filename().string();
  const std::string stem = name.substr(0, name.size() - ending_of(file).size());
  const std::size_t dot = stem.rfind('.');
  const auto number = dot == std::string::npos ? std::nullopt : parse_unsigned(std::string_view(stem).substr(dot + 1));
  return number ? std::optional(std::pair(stem.substr(0, dot + 1), *number)) : std::nullopt;
}

}  // namespace

bool is_trace(const std::filesystem::path& file) {
  return !ending_of(file).empty();
}

std::vector<std::filesystem::path> files_of_ranks(const std::filesystem::path& file) {
  const auto name = numbered(file);
  std::vector<std::filesystem::path> files;
  std::error_code ignored;
  while (name && files.size() < kMostRanks) {
    const std::filesystem::path next =
        file.parent_path() / (name->first + std::to_string(files.size()) + ending_of(file));
    if (!std::filesystem::exists(next, ignored)) {
      break;
    }
    files.push_back(next);
  }
  return name && name->second < files.size() ? files : std::vector{file};
}

Imported import_traces(const std::vector<std::vector<Node>>& traces, std::uint64_t ranks, const std::string& name) {
  const std::uint64_t all = traces.size() > 1 ? traces.size() : std::max<std::uint64_t>(ranks, 1);
  if (traces.size() > 1 && ranks != 0 && ranks != traces.size()) {
    throw InputError(
        {{name, 0, 0}, "has the traces of " + counted(traces.size(), "rank") + " beside it", "leave --ranks out"});
  }
  RankImporter importer(name, all, traces.size() > 1 ? groups_of(traces) : Groups{});
  for (std::size_t i = 0; i < traces.size(); ++i) {
    importer.add_body(traces[i], static_cast<std::int64_t>(i));
  }
  for (std::uint64_t rank = 0; rank < all; ++rank) {
    importer.add_thread(rank, traces.size() > 1 ? rank : 0);
  }
  return importer.take();
}

Imported import_ranks(const std::vector<std::filesystem::path>& files, std::uint64_t ranks) {
  std::vector<std::vector<Node>> traces;
  for (const std::filesystem::path& file : files) {
    traces.push_back(read_trace(file));
  }
  return import_traces(traces, ranks, files.front().string());
}

}  // namespace gpusim::chakra
