// SPDX-License-Identifier: MIT
#include "sim/system/run/stuck.h"

#include <algorithm>
#include <vector>

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/depth_first_search.hpp>

#include "sim/system/application/each_call.h"
#include "sim/system/run/host_side.h"

namespace gpusim::run {
namespace {

using application::Call;
using application::Calls;
using WaitGraph = boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS>;

/// Whether a list has a call for the queue.
template <class T>
bool uses_queue(const Calls& calls, Index queue) {
  return application::any_call(calls, [queue](const Call& call) {
    const auto* const use = std::get_if<T>(&call.is);
    return use != nullptr && use->queue == queue;
  });
}

/// A collective that ranks lack that have done all their calls.
std::string lack_text(const application::Application& application, const Ranks& ranks) {
  const Call* const call = ranks.incomplete();
  if (call == nullptr) {
    return "";
  }
  const auto& run = std::get<application::RunCollective>(call->is);
  std::string text = "\n" + application.path + ":" + std::to_string(call->place.line) + ":" +
                     std::to_string(call->place.column) + ": the " + std::string(arch::word_of(run.of));
  for (std::string_view between = " lacks '"; const Index thread : ranks.missing()) {
    text += std::string(between) + application.threads[thread].name;
    between = "', '";
  }
  return text + "', and all threads have done their calls";
}

class Waits {
 public:
  Waits(const Binding& binding, const HostSide& host, const Ranks& ranks)
      : binding_(binding), host_(host), ranks_(ranks) {}

  /// The threads that could let this one go on.
  [[nodiscard]] std::vector<Index> helpers(Index thread) const {
    switch (host_.block(thread)) {
      case Block::kPut: return threads_with<application::Take>(host_.queue_of(thread));
      case Block::kTake: return threads_with<application::Put>(host_.queue_of(thread));
      case Block::kWork:
      case Block::kStream: return ranks_.missing();
      case Block::kFree: break;
    }
    return {};
  }

  [[nodiscard]] std::string text(Index thread) const {
    const application::Application& application = binding_.application();
    const std::string& queue = application.queues.empty() ? "" : application.queues[host_.queue_of(thread)].name;
    const Place place = host_.call_of(thread)->place;
    std::string line = application.path + ":" + std::to_string(place.line) + ":" + std::to_string(place.column) +
                       ": '" + application.threads[thread].name + "' waits ";
    switch (host_.block(thread)) {
      case Block::kPut: return line + "to put into '" + queue + "', which is full";
      case Block::kTake: return line + "to take from '" + queue + "', which is empty";
      default: break;
    }
    line += "for work of its GPU";
    const std::vector<Index> missing = ranks_.missing();
    for (std::size_t i = 0; i < missing.size(); ++i) {
      line += (i == 0 ? ", in which a collective lacks '" : "', '") + application.threads[missing[i]].name;
    }
    return line + (missing.empty() ? "" : "'");
  }

 private:
  template <class T>
  [[nodiscard]] std::vector<Index> threads_with(Index queue) const {
    const application::Application& application = binding_.application();
    std::vector<Index> found;
    for (Index i = 0; i < application.threads.size(); ++i) {
      if (uses_queue<T>(application.bodies[application.threads[i].body], queue)) {
        found.push_back(i);
      }
    }
    return found;
  }

  const Binding& binding_;
  const HostSide& host_;
  const Ranks& ranks_;
};

/// Keeps the path to where a circle closes.
struct CircleFinder : boost::default_dfs_visitor {
  CircleFinder(std::vector<Index>& onward, std::vector<Index>& found) : path(&onward), circle(&found) {}
  void discover_vertex(Index vertex, const WaitGraph&) { path->push_back(vertex); }
  void finish_vertex(Index, const WaitGraph&) { path->pop_back(); }
  void back_edge(const WaitGraph::edge_descriptor& edge, const WaitGraph& graph) {
    if (circle->empty()) {
      const auto first = std::ranges::find(*path, static_cast<Index>(target(edge, graph)));
      circle->assign(first, path->end());
      circle->push_back(*first);
    }
  }
  std::vector<Index>* path;
  std::vector<Index>* circle;
};

}  // namespace

std::string why_stuck(const Binding& binding, const HostSide& host, const Ranks& ranks) {
  const Waits waits(binding, host, ranks);
  const auto& threads = binding.application().threads;
  WaitGraph graph(threads.size());
  std::string text = "nothing can go on";
  bool does_any_wait = false;
  for (Index thread = 0; thread < threads.size(); ++thread) {
    if (host.block(thread) == Block::kFree) {
      continue;
    }
    does_any_wait = true;
    text += "\n" + waits.text(thread);
    for (const Index helper : waits.helpers(thread)) {
      if (host.block(helper) != Block::kFree) {
        boost::add_edge(thread, helper, graph);
      }
    }
  }
  if (!does_any_wait) {
    return text + lack_text(binding.application(), ranks);
  }
  std::vector<Index> path;
  std::vector<Index> circle;
  boost::depth_first_search(graph, boost::visitor(CircleFinder(path, circle)));
  for (std::size_t i = 0; i < circle.size(); ++i) {
    text += (i == 0 ? "\nthey wait for each other: " : " -> ") + threads[circle[i]].name;
  }
  return text;
}

}  // namespace gpusim::run
