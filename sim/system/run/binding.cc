// SPDX-License-Identifier: MIT
#include "sim/system/run/binding.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include "sim/base/nearest.h"
#include "sim/model/arch/value.h"
#include "sim/system/application/each_call.h"
#include "sim/system/collective/model.h"

namespace gpusim::run {

using application::Application;
using application::Call;
using application::Calls;
using system::NodeId;

namespace {

bool has_collective(const Application& application, const Calls& calls) {
  return application::any_call(calls, [&application](const Call& call) {
    if (const auto* const launch = std::get_if<application::LaunchGraph>(&call.is)) {
      return has_collective(application, application.graphs[launch->graph].calls);
    }
    return std::holds_alternative<application::RunCollective>(call.is);
  });
}

[[noreturn]] void refuse(const Application& application, const Place& at, std::string message, std::string hint) {
  throw InputError({{application.path, at.line, at.column}, std::move(message), std::move(hint)});
}

}  // namespace

Binding::Binding(const Application& application, const system::System& system, const system::Fabric& fabric)
    : application_(application), system_(system), fabric_(fabric) {
  const std::vector<NodeId> all = system::nodes_of<system::Gpu>(system);
  std::vector<NodeId> of_thread;
  for (const application::Thread& thread : application.threads) {
    of_thread.push_back(thread.gpu.empty() ? all.front() : node_of(thread.gpu, thread.place));
  }
  const std::set<NodeId> used(of_thread.begin(), of_thread.end());
  gpus_.assign(used.begin(), used.end());
  for (const NodeId node : of_thread) {
    gpu_of_thread_.push_back(static_cast<std::uint32_t>(std::ranges::find(gpus_, node) - gpus_.begin()));
  }
  find_hosts();
  find_ranks();
  for (const application::Thread& thread : application.threads) {
    check_peers(application.bodies[thread.body]);
    if (thread.setup) {
      check_peers(application.bodies[*thread.setup]);
    }
  }
}

/// Throws for a copy to or from a GPU that is not there.
void Binding::check_peers(const Calls& calls) const {
  application::for_each_call(calls, [this](const Call& call) {
    const auto* const copy = std::get_if<application::Copy>(&call.is);
    if (copy != nullptr && !copy->peer.empty()) {
      static_cast<void>(node_of(copy->peer, call.place));
    }
  });
}

NodeId Binding::node_of(const std::string& name, const Place& at) const {
  std::vector<std::string_view> known;
  for (const NodeId id : system::nodes_of<system::Gpu>(system_)) {
    if (system_.nodes[id].name == name) {
      return id;
    }
    known.push_back(system_.nodes[id].name);
  }
  refuse(application_, at, system_.name + " has no GPU " + arch::in_quotes(name), suggestion(name, known));
}

void Binding::find_hosts() {
  for (const NodeId gpu : gpus_) {
    const std::vector<NodeId> hosts = system::nodes_of<system::Host>(system_);
    const auto latency = [&](NodeId host) { return fabric_.route(host, gpu).latency_ns; };
    hosts_.push_back(*std::ranges::min_element(hosts, {}, latency));
  }
}

void Binding::find_ranks() {
  std::vector<NodeId> nodes;
  for (std::uint32_t i = 0; i < application_.threads.size(); ++i) {
    const application::Thread& thread = application_.threads[i];
    const bool has_any = has_collective(application_, application_.bodies[thread.body]) ||
                         (thread.setup && has_collective(application_, application_.bodies[*thread.setup]));
    if (!has_any) {
      continue;
    }
    const NodeId node = gpus_[gpu_of_thread_[i]];
    if (thread.background) {
      refuse(application_, thread.place, "a thread in the background takes part in a collective", "");
    }
    if (std::ranges::find(nodes, node) != nodes.end()) {
      continue;  // several threads of a GPU are one rank
    }
    nodes.push_back(node);
    ranks_.push_back(i);
  }
  if (ranks_.size() == 1) {
    refuse(application_, application_.threads[ranks_.front()].place, "a collective needs two GPUs at least", "");
  }
  rank_nodes_ = std::move(nodes);
}

const system::Gpu& Binding::gpu(std::uint32_t index) const {
  return std::get<system::Gpu>(system_.nodes[gpus_[index]].is);
}

system::Uses Binding::way_of(const application::Copy& copy, std::uint32_t gpu, const Place& at) const {
  const NodeId own = gpus_[gpu];
  switch (copy.way) {
    case application::Way::kToDevice: return fabric_.uses_of(fabric_.route(hosts_[gpu], own));
    case application::Way::kToHost: return fabric_.uses_of(fabric_.route(own, hosts_[gpu]));
    case application::Way::kToPeer:
    case application::Way::kFromPeer: {
      const NodeId peer = node_of(copy.peer, at);
      if (peer == own) {
        refuse(application_, at, "a copy from '" + copy.peer + "' to itself", "leave out 'from' and 'to'");
      }
      const bool is_away = copy.way == application::Way::kToPeer;
      return fabric_.uses_of(is_away ? fabric_.route(own, peer) : fabric_.route(peer, own));
    }
    case application::Way::kOnDevice: break;
  }
  return {};
}

std::vector<std::uint32_t> Binding::group_of(const application::RunCollective& run, std::uint32_t thread,
                                             const Place& at) const {
  const auto all = static_cast<std::uint32_t>(ranks_.size());
  const std::uint32_t size = run.ranks == 0 ? all : run.ranks;
  const std::uint64_t block = std::uint64_t{size} * run.stride;
  const std::uint32_t gpu = gpu_of_thread_[thread];
  const auto rank = static_cast<std::uint32_t>(
      std::ranges::find_if(ranks_, [&](std::uint32_t other) { return gpu_of_thread_[other] == gpu; }) - ranks_.begin());
  const std::uint64_t behind = rank - std::min(rank, run.first);
  const std::uint64_t first = run.first + behind / block * block + behind % run.stride;
  if (rank < run.first || first + block - run.stride >= all) {
    refuse(application_, at,
           "groups of " + std::to_string(size) + " ranks, " + std::to_string(run.stride) + " apart, do not make up " +
               std::to_string(all) + " ranks" +
               (run.first > 0 ? " from rank " + std::to_string(run.first) + " on, or leave '" +
                                    application_.threads[thread].name + "' out"
                              : ""),
           "");
  }
  std::vector<std::uint32_t> group;
  for (std::uint32_t i = 0; i < size; ++i) {
    group.push_back(static_cast<std::uint32_t>(first + i * run.stride));
  }
  return group;
}

collective::Model Binding::model_of(const std::vector<std::uint32_t>& group) const {
  std::vector<NodeId> nodes;
  std::ranges::transform(group, std::back_inserter(nodes), [this](std::uint32_t rank) { return rank_nodes_[rank]; });
  return {system_, nodes, collective::reach_of(fabric_, nodes), collective::Launch::kProcessPerGpu};
}

}  // namespace gpusim::run
