// SPDX-License-Identifier: MIT
#include "sim/system/chakra/order.h"

#include <algorithm>
#include <functional>
#include <queue>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "sim/base/problem.h"
#include "sim/base/text.h"

namespace gpusim::chakra {
namespace {

std::string name_of(const Node& node) {
  constexpr std::size_t kLongest = 40;
  return "'" + clipped(printable(node.name), kLongest) + "' (" + std::to_string(node.id) + ")";
}

/// Names a circle among nodes that nothing put in order: whoever follows needs comes back.
[[noreturn]] void refuse_circle(const std::vector<Node>& nodes, const NodeGraph& graph,
                                const std::vector<std::size_t>& left, const std::string& name) {
  constexpr std::size_t kMostNamed = 6;
  std::vector<std::size_t> path;
  std::unordered_map<std::size_t, std::size_t> seen;
  std::size_t at =
      static_cast<std::size_t>(std::ranges::find_if(left, [](std::size_t n) { return n > 0; }) - left.begin());
  while (seen.emplace(at, path.size()).second) {
    path.push_back(at);
    at = *std::ranges::find_if(graph.needs[at], [&left](std::size_t need) { return left[need] > 0; });
  }
  std::string text;
  const std::size_t first = seen.at(at);
  for (std::size_t i = first; i < std::min(path.size(), first + kMostNamed); ++i) {
    text += name_of(nodes[path[i]]) + " needs ";
  }
  text += path.size() > first + kMostNamed ? "..." : name_of(nodes[at]);
  throw InputError({{name, 0, 0}, "nodes need each other in a circle: " + text, ""});
}

}  // namespace

NodeGraph order_nodes(const std::vector<Node>& nodes, const std::string& name) {
  std::unordered_map<std::uint64_t, std::size_t> place;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    place.emplace(nodes[i].id, i);
  }
  NodeGraph graph;
  graph.needs.resize(nodes.size());
  std::vector<std::vector<std::size_t>> needed_by(nodes.size());
  std::vector<std::size_t> left(nodes.size(), 0);
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    for (const std::uint64_t id : nodes[i].needs) {
      const auto found = place.find(id);
      if (found == place.end()) {
        throw InputError(
            {{name, 0, 0}, name_of(nodes[i]) + " needs node " + std::to_string(id) + ", which is not there", ""});
      }
      graph.needs[i].push_back(found->second);
    }
    std::ranges::sort(graph.needs[i]);
    graph.needs[i].erase(std::unique(graph.needs[i].begin(), graph.needs[i].end()), graph.needs[i].end());
    left[i] = graph.needs[i].size();
    for (const std::size_t need : graph.needs[i]) {
      needed_by[need].push_back(i);
    }
  }
  const auto issued = [&](std::size_t i) {
    double at = -1;
    for (const std::size_t need : graph.needs[i]) {
      at = nodes[i].is_on_cpu || !nodes[need].is_on_cpu ? at : std::max(at, nodes[need].begin);
    }
    return at < 0 ? nodes[i].begin : at;
  };
  using Ready = std::tuple<double, double, std::size_t>;
  std::priority_queue<Ready, std::vector<Ready>, std::greater<>> ready;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (left[i] == 0) {
      ready.emplace(issued(i), nodes[i].begin, i);
    }
  }
  while (!ready.empty()) {
    const std::size_t next = std::get<2>(ready.top());
    ready.pop();
    graph.order.push_back(next);
    for (const std::size_t other : needed_by[next]) {
      if (--left[other] == 0) {
        ready.emplace(issued(other), nodes[other].begin, other);
      }
    }
  }
  if (graph.order.size() < nodes.size()) {
    refuse_circle(nodes, graph, left, name);
  }
  return graph;
}

}  // namespace gpusim::chakra
