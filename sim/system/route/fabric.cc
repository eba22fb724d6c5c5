// SPDX-License-Identifier: MIT
#include "sim/system/route/fabric.h"

#include <algorithm>
#include <iterator>
#include <optional>

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/dijkstra_shortest_paths.hpp>
#include <boost/graph/filtered_graph.hpp>

#include "sim/base/problem.h"
#include "sim/base/units.h"

namespace gpusim::system {
namespace {

struct Wire {
  std::uint32_t link = 0;
  double cost = 0;  ///< nanoseconds of 1 MiB
};
using Wires = boost::adjacency_list<boost::vecS, boost::vecS, boost::undirectedS, boost::no_property, Wire>;
using Vertex = boost::graph_traits<Wires>::vertex_descriptor;
using Edge = boost::graph_traits<Wires>::edge_descriptor;

constexpr double kNanoseconds = 1e9;

double usable_of(const LinkType& type, const Link& link) {
  return static_cast<double>(type.usable_bytes_per_second) * link.count;
}

/// GPUs other than the ends do not forward.
struct MayPass {
  const System* system = nullptr;
  NodeId from = 0;
  NodeId to = 0;
  bool operator()(Vertex v) const { return v == from || v == to || !std::holds_alternative<Gpu>(system->nodes[v].is); }
};

/// Links over which a copy may go.
struct MayUse {
  const System* system = nullptr;
  const Wires* wires = nullptr;
  PeerAccess allowed = PeerAccess::kNone;
  bool operator()(const Edge& e) const {
    switch (system->link_types[system->links[(*wires)[e].link].type].kind) {
      case LinkKind::kNvlink: return allowed >= PeerAccess::kNvlink;
      case LinkKind::kPcie:
      case LinkKind::kChip: return allowed >= PeerAccess::kPcie;
      case LinkKind::kSocket: return allowed >= PeerAccess::kSocket;
    }
    return false;
  }
};

}  // namespace

class Fabric::Graph {
 public:
  explicit Graph(const System& system) : wires(system.nodes.size()) {
    for (std::uint32_t i = 0; i < system.links.size(); ++i) {
      const Link& link = system.links[i];
      const LinkType& type = system.link_types[link.type];
      const double cost =
          static_cast<double>(type.latency_ns) + static_cast<double>(kMi) * kNanoseconds / usable_of(type, link);
      boost::add_edge(link.from, link.to, Wire{i, cost}, wires);
    }
  }
  Wires wires;
};

Fabric::Fabric(const System& system) : system_(system), graph_(std::make_unique<const Graph>(system)) {
  add_resources();
  check_reach();
}

Fabric::~Fabric() = default;

void Fabric::add_resources() {
  for (const Link& link : system_.links) {
    const LinkType& type = system_.link_types[link.type];
    const std::string& from = system_.nodes[link.from].name;
    const std::string& to = system_.nodes[link.to].name;
    const double usable = usable_of(type, link);
    const double both = static_cast<double>(type.both_ways_bytes_per_second) * link.count;
    first_of_link_.push_back(resources_.size());
    resources_.push_back({from + " -> " + to, usable});
    resources_.push_back({to + " -> " + from, usable});
    resources_.push_back({from + " <-> " + to, both > 0 ? both : 2 * usable, true});
  }
  memory_of_.assign(system_.nodes.size(), 0);
  for (const NodeId id : nodes_of<Host>(system_)) {
    memory_of_[id] = resources_.size();
    const auto rate = static_cast<double>(std::get<Host>(system_.nodes[id].is).memory_bytes_per_second);
    resources_.push_back({"memory of " + system_.nodes[id].name, rate});
  }
}

/// Threads run on any host, so each host reaches each GPU. A GPU that reaches none is told alone, and of a host the
/// first GPU that it does not reach.
void Fabric::check_reach() const {
  ProblemList problems;
  const auto add = [&](NodeId at, const std::string& what, const char* hint) {
    const Node& node = system_.nodes[at];
    problems.add(
        {{system_.path, node.place.line, node.place.column}, "'" + node.name + "' has no route to " + what, hint});
  };
  const std::vector<NodeId> hosts = nodes_of<Host>(system_);
  std::vector<NodeId> cut_off;  // hosts that are told already
  for (const NodeId gpu : nodes_of<Gpu>(system_)) {
    std::vector<NodeId> unreached;
    std::ranges::copy_if(hosts, std::back_inserter(unreached),
                         [&](NodeId host) { return shortest(gpu, host, PeerAccess::kSocket).hops.empty(); });
    if (unreached.size() == hosts.size()) {
      add(gpu, "a host", "link it with a host or with a switch that is linked with one");
      continue;
    }
    for (const NodeId host : unreached) {
      if (std::ranges::find(cut_off, host) == cut_off.end()) {
        cut_off.push_back(host);
        add(host, "'" + system_.nodes[gpu].name + "'", "link the hosts with each other, by links of the kind socket");
      }
    }
  }
  problems.throw_if_any();
}

/// Without hops when there is no route.
Route Fabric::shortest(NodeId from, NodeId to, PeerAccess allowed) const {
  const Wires& wires = graph_->wires;
  const boost::filtered_graph view(wires, MayUse{&system_, &wires, allowed}, MayPass{&system_, from, to});
  std::vector<Vertex> before(boost::num_vertices(wires));
  std::vector<double> cost(boost::num_vertices(wires));
  boost::dijkstra_shortest_paths(
      view, from,
      boost::predecessor_map(boost::make_iterator_property_map(before.begin(), boost::get(boost::vertex_index, wires)))
          .distance_map(boost::make_iterator_property_map(cost.begin(), boost::get(boost::vertex_index, wires)))
          .weight_map(boost::get(&Wire::cost, wires)));
  Route route{from, to, {}, {}, {}, 0};
  for (Vertex at = to; at != from; at = before[at]) {
    if (before[at] == at) {
      return {from, to, {}, {}, {}, 0};
    }
    std::optional<Edge> best;
    for (const Edge& edge : boost::make_iterator_range(boost::out_edges(at, view))) {
      const bool is_between = boost::target(edge, view) == before[at];
      if (is_between && (!best || wires[edge].cost < wires[*best].cost)) {
        best = edge;
      }
    }
    const std::uint32_t link = wires[*best].link;
    route.hops.push_back({link, system_.links[link].to == at});
    route.latency_ns += static_cast<double>(system_.link_types[system_.links[link].type].latency_ns);
    if (before[at] != from) {
      route.passed.push_back(static_cast<NodeId>(before[at]));
    }
  }
  std::ranges::reverse(route.hops);
  std::ranges::reverse(route.passed);
  return route;
}

/// Through the memory of the host that is nearest to `from`.
Route Fabric::staged(NodeId from, NodeId to) const {
  Route best;
  std::size_t fewest = ~std::size_t{0};
  for (const NodeId host : nodes_of<Host>(system_)) {
    Route up = shortest(from, host, PeerAccess::kSocket);
    const Route down = shortest(host, to, PeerAccess::kSocket);
    if (up.hops.empty() || down.hops.empty() || up.hops.size() >= fewest) {
      continue;
    }
    fewest = up.hops.size();
    up.to = to;
    up.staged_in = host;
    up.latency_ns += down.latency_ns;
    up.passed.push_back(host);
    up.hops.insert(up.hops.end(), down.hops.begin(), down.hops.end());
    up.passed.insert(up.passed.end(), down.passed.begin(), down.passed.end());
    best = std::move(up);
  }
  return best;
}

Route Fabric::route(NodeId from, NodeId to) const {
  const auto* const first = std::get_if<Gpu>(&system_.nodes[from].is);
  const auto* const second = std::get_if<Gpu>(&system_.nodes[to].is);
  Route found;
  if (first == nullptr || second == nullptr) {
    found = shortest(from, to, PeerAccess::kSocket);
  } else {
    const PeerAccess peer = std::min(first->peer, second->peer);
    if (peer != PeerAccess::kNone) {
      found = shortest(from, to, peer);
    }
    if (found.hops.empty()) {
      found = staged(from, to);
    }
  }
  if (found.hops.empty()) {
    throw InputError({{system_.path, 0, 0},
                      "there is no route from '" + system_.nodes[from].name + "' to '" + system_.nodes[to].name + "'",
                      ""});
  }
  return found;
}

Uses Fabric::uses_of(const Route& route) const {
  Uses uses;
  const auto add = [&uses](std::size_t resource) {
    const auto found = std::ranges::find(uses, resource, &Use::resource);
    if (found == uses.end()) {
      uses.push_back({resource, 1});
    } else {
      found->times += 1;
    }
  };
  for (const Hop& hop : route.hops) {
    add(first_of_link_[hop.link] + (hop.forward ? 0 : 1));
    add(first_of_link_[hop.link] + 2);
  }
  for (const NodeId end : {route.from, route.to}) {
    if (std::holds_alternative<Host>(system_.nodes[end].is)) {
      add(memory_of_[end]);
    }
  }
  if (route.staged_in) {
    // Written by one copy and read by the other.
    add(memory_of_[*route.staged_in]);
    add(memory_of_[*route.staged_in]);
  }
  return uses;
}

std::vector<double> Fabric::rates(std::span<const Route> routes) const {
  std::vector<double> capacities(resources_.size());
  std::ranges::transform(resources_, capacities.begin(), &Resource::bytes_per_second);
  std::vector<Uses> flows(routes.size());
  std::ranges::transform(routes, flows.begin(), [this](const Route& route) { return uses_of(route); });
  return max_min_rates(capacities, flows);
}

std::string topology_word(const System& system, const Route& route) {
  std::uint32_t nvlinks = ~std::uint32_t{0};
  bool has_socket = false;
  for (const Hop& hop : route.hops) {
    const Link& link = system.links[hop.link];
    const LinkKind kind = system.link_types[link.type].kind;
    nvlinks = std::min(nvlinks, kind == LinkKind::kNvlink ? link.count : 0);
    has_socket = has_socket || kind == LinkKind::kSocket;
  }
  if (nvlinks > 0) {
    return "NV" + std::to_string(nvlinks);
  }
  const bool through_host =
      std::ranges::any_of(route.passed, [&](NodeId id) { return std::holds_alternative<Host>(system.nodes[id].is); });
  return has_socket ? "SYS" : through_host ? "PHB" : route.passed.size() == 1 ? "PIX" : "PXB";
}

}  // namespace gpusim::system
