// SPDX-License-Identifier: MIT
// A step as Chakra execution traces: what each rank's threads and GPU did, and what each waited for.
#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <utility>
#include <vector>

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

/// "ranks 0 4": a name that no other group has.
std::string group_name(const run::Timeline& timeline, const Activity& activity) {
  std::string name = activity.group == run::kNone ? "" : "ranks";
  for (std::size_t i = 0; !name.empty() && i < timeline.groups[activity.group].size(); ++i) {
    name += " " + std::to_string(timeline.groups[activity.group][i]);
  }
  return name;
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
    for (const run::Need& need : report_.timeline.needs) {
      add_need(need.activity, need.before);
    }
    for (const auto& [call, work] : awaited_) {
      add_need(call, work);
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

  /// Between nodes that are both in the step.
  void add_need(std::uint32_t activity, std::uint32_t before) {
    const auto node = ids_.find(activity);
    const auto first = ids_.find(before);
    if (node == ids_.end() || first == ids_.end() || node == first) {
      return;
    }
    std::vector<std::uint64_t>& needs = nodes_[node->second - 1].needs;
    if (std::ranges::find(needs, first->second) == needs.end()) {
      needs.push_back(first->second);
    }
  }

  /// What a call waited for that does not synchronize: its own copy holds up what the thread does next.
  void note_wait(std::uint32_t at, const Activity& activity) {
    if (const auto waits = held_.find(activity.previous); waits != held_.end()) {
      awaited_.emplace_back(at, waits->second);
    }
    const bool waits = activity.has_waited() && activity.cause != run::kNone;
    if (!waits || !report_.timeline.activities[activity.cause].is_on_gpu()) {
      return;
    }
    nodes_[ids_.at(at) - 1].ns = activity.blocked - activity.begin;  // its own, without the wait
    if (report_.timeline.activities[activity.cause].call == at) {
      held_[at] = activity.cause;
    } else {
      awaited_.emplace_back(at, activity.cause);
    }
  }

  void add_cpu(std::uint32_t at) {
    const Activity& activity = report_.timeline.activities[at];
    Node& node = add(at, NodeType::kCompute, report_.timeline.names[activity.name]);
    node.is_on_cpu = true;
    node.thread = activity.thread;
    need(node, activity.previous);
    note_wait(at, activity);
  }

  void add_gpu(std::uint32_t at) {
    const Activity& activity = report_.timeline.activities[at];
    Node& node = add_work(at, activity);
    node.stream = activity.stream;
    need(node, activity.call);
    if (const auto last = last_.find(activity.stream); last != last_.end()) {
      need(node, last->second);
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
      node.group = group_name(report_.timeline, activity);
      return node;
    }
    if (activity.kind == ActivityKind::kKernel) {
      const run::KernelCost& cost = report_.times.costs[facts.cost_row][activity.kernel];
      Node& node = add(at, NodeType::kCompute, report_.timeline.names[activity.name]);
      node.flops = cost.flops;
      node.bytes = cost.dram * cost.ns * facts.dram;
      node.alone_ns = cost.ns;
      node.arch = cost.how == run::TimeOf::kRecorded && cost.note.empty() ? "" : report_.timeline.gpus[gpu_].arch;
      node.ctas_per_sm = static_cast<std::uint64_t>(std::llround(cost.slots / facts.sms));
      node.ctas = run::ctas_of(cost, facts.sms);
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
  std::map<std::uint32_t, std::uint32_t> held_;                   ///< calls, and their own work that they waited for
};

}  // namespace

std::vector<std::string> to_chakra(const Report& report) {
  std::vector<std::string> files;
  for (std::uint32_t gpu = 0; gpu < report.timeline.gpus.size(); ++gpu) {
    files.push_back(chakra::write_trace(RankWriter(report, gpu, report.timeline.gpu_of_thread).write()));
  }
  return files;
}

}  // namespace gpusim::app
