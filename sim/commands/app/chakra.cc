// SPDX-License-Identifier: MIT
// A step as Chakra execution traces: what each rank's threads and GPU did, and what each waited for.
#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "sim/base/problem.h"
#include "sim/commands/app/report.h"
#include "sim/system/chakra/trace.h"

namespace gpusim::app {

using chakra::Node;
using chakra::NodeType;
using run::Activity;
using run::ActivityKind;

namespace {

chakra::CommType comm_type_of(collective::Collective of) {
  using chakra::CommType;
  using collective::Collective;
  switch (of) {
    case Collective::kAllReduce: return CommType::kAllReduce;
    case Collective::kAllGather: return CommType::kAllGather;
    case Collective::kReduceScatter: return CommType::kReduceScatter;
    case Collective::kBroadcast: return CommType::kBroadcast;
    case Collective::kReduce: return CommType::kReduce;
    case Collective::kAllToAll:
    case Collective::kSendReceive: return CommType::kAllToAll;
  }
  return CommType::kAllReduce;
}

bool has_groups(const application::Calls& calls) {
  return std::ranges::any_of(calls, [](const application::Call& call) {
    if (const auto* const repeat = std::get_if<application::Repeat>(&call.is)) {
      return has_groups(repeat->body);
    }
    if (const auto* const range = std::get_if<application::Range>(&call.is)) {
      return has_groups(range->body);
    }
    const auto* const run = std::get_if<application::RunCollective>(&call.is);
    return run != nullptr && run->ranks > 0;
  });
}

/// The nodes of one GPU's rank: of one round, so that the trace is a step.
class RankWriter {
 public:
  RankWriter(const Report& report, std::uint32_t gpu, const std::vector<std::uint32_t>& gpu_of_thread)
      : report_(report), gpu_(gpu), gpu_of_thread_(gpu_of_thread) {}

  std::vector<Node> write() {
    const std::vector<Activity>& all = report_.timeline.activities;
    for (std::uint32_t i = 0; i < all.size(); ++i) {
      if (!all[i].is_on_gpu() && is_in_step(all[i]) && gpu_of_thread_[all[i].thread] == gpu_ &&
          all[i].kind != ActivityKind::kRange) {
        add_cpu(i);
      }
    }
    for (std::uint32_t i = 0; i < all.size(); ++i) {
      if (all[i].is_on_gpu() && all[i].gpu == gpu_ && ids_.contains(all[i].call) && all[i].end > 0) {
        add_gpu(i);
      }
    }
    for (const auto& [call, work] : awaited_) {
      if (const auto found = ids_.find(work); found != ids_.end()) {
        nodes_[ids_.at(call) - 1].needs.push_back(found->second);
      }
    }
    return std::move(nodes_);
  }

 private:
  [[nodiscard]] bool is_in_step(const Activity& activity) const {
    const run::Timeline& timeline = report_.timeline;
    return activity.begin >= timeline.begin && activity.begin < timeline.begin + timeline.step_ns() && activity.end > 0;
  }

  Node& add(std::uint32_t at, NodeType type, std::string name) {
    const Activity& activity = report_.timeline.activities[at];
    Node& node = nodes_.emplace_back();
    node.id = nodes_.size();
    node.name = std::move(name);
    node.type = type;
    node.begin = activity.begin - report_.timeline.begin;
    node.ns = activity.end - activity.begin;
    ids_[at] = node.id;
    return node;
  }

  void need(Node& node, std::uint32_t activity) const {
    if (const auto found = ids_.find(activity); found != ids_.end() && found->second != node.id) {
      node.needs.push_back(found->second);
    }
  }

  void add_cpu(std::uint32_t at) {
    const Activity& activity = report_.timeline.activities[at];
    Node& node = add(at, NodeType::kCompute, report_.timeline.names[activity.name]);
    node.is_on_cpu = true;
    node.thread = activity.thread;
    need(node, activity.previous);
    const bool waits = activity.has_waited() && activity.cause != run::kNone;
    if (waits && report_.timeline.activities[activity.cause].is_on_gpu()) {
      awaited_.emplace_back(at, activity.cause);
    }
  }

  void add_gpu(std::uint32_t at) {
    const Activity& activity = report_.timeline.activities[at];
    Node& node = add_work(at, activity);
    node.stream = activity.stream;
    need(node, activity.call);
    if (const auto last = last_.find(activity.stream); last != last_.end()) {
      need(node, last->second);
    }
    if (activity.cause != run::kNone && report_.timeline.activities[activity.cause].is_on_gpu() &&
        report_.timeline.activities[activity.cause].stream != activity.stream) {
      need(node, activity.cause);
    }
    last_[activity.stream] = at;
  }

  Node& add_work(std::uint32_t at, const Activity& activity) {
    const run::GpuFacts& facts = report_.times.gpus[gpu_];
    if (activity.kind == ActivityKind::kCollective) {
      const std::string& name = report_.timeline.names[activity.name];
      Node& node = add(at, NodeType::kCollective, name);
      node.comm = static_cast<std::int64_t>(comm_type_of(arch::value_of<collective::Collective>(name)));
      node.comm_bytes = static_cast<std::uint64_t>(activity.bytes);
      return node;
    }
    if (activity.kind == ActivityKind::kKernel) {
      const run::KernelCost& cost = report_.times.costs[facts.cost_row][activity.kernel];
      Node& node = add(at, NodeType::kCompute, report_.timeline.names[activity.name]);
      node.flops = cost.flops;
      node.bytes = cost.dram * cost.ns * facts.dram;
      node.alone_ns = cost.ns;
      const double per_sm = cost.slots / facts.sms;
      const double full_waves = 1 / cost.tail_share - 1;
      node.ctas_per_sm = static_cast<std::uint64_t>(std::llround(per_sm));
      node.ctas = static_cast<std::uint64_t>(std::llround(full_waves * cost.slots + cost.tail_sms * per_sm));
      return node;
    }
    const bool is_copy = activity.kind == ActivityKind::kCopy;
    const NodeType type = is_copy && activity.way == application::Way::kToDevice ? NodeType::kLoad
                          : is_copy && activity.way == application::Way::kToHost ? NodeType::kStore
                                                                                 : NodeType::kCompute;
    Node& node = add(at, type, is_copy ? "Memcpy" : "Memset");
    node.bytes = activity.bytes;
    return node;
  }

  const Report& report_;
  std::uint32_t gpu_;
  const std::vector<std::uint32_t>& gpu_of_thread_;
  std::vector<Node> nodes_;
  std::map<std::uint32_t, std::uint64_t> ids_;                    ///< numbers of nodes, by activity
  std::map<std::uint32_t, std::uint32_t> last_;                   ///< activity by stream
  std::vector<std::pair<std::uint32_t, std::uint32_t>> awaited_;  ///< calls, and the work that they waited for
};

}  // namespace

std::vector<std::string> to_chakra(const Report& report) {
  if (std::ranges::any_of(report.application.bodies, has_groups)) {
    throw InputError({{report.application.path, 0, 0},
                      "has collectives of groups of ranks, which Chakra traces written here do not have",
                      "leave --chakra out"});
  }
  std::vector<std::string> files;
  for (std::uint32_t gpu = 0; gpu < report.timeline.gpus.size(); ++gpu) {
    files.push_back(chakra::write_trace(RankWriter(report, gpu, report.timeline.gpu_of_thread).write()));
  }
  return files;
}

}  // namespace gpusim::app
