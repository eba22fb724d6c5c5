// SPDX-License-Identifier: MIT
#include "sim/commands/system/facts.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

namespace gpusim::system_tables {
namespace {

using system::Fabric;
using system::Gpu;
using system::Host;
using system::Link;
using system::NodeId;
using system::Route;
using system::System;

std::string way_text(const System& system, const Route& route) {
  std::string text;
  for (const NodeId id : route.passed) {
    text += (text.empty() ? "" : ", ") + std::string(route.staged_in == id ? "memory of " : "") + system.nodes[id].name;
  }
  return text;
}

/// What copies on some routes reach at once; `way` is that of the slowest.
CopyRate rate_of(const Fabric& fabric, std::string what, const std::vector<Route>& routes) {
  const std::vector<double> rates = fabric.rates(routes);
  const auto slowest = std::ranges::min_element(rates);
  CopyRate out{std::move(what), *slowest, 0,
               way_text(fabric.system(), routes[static_cast<std::size_t>(slowest - rates.begin())])};
  for (const Route& route : routes) {
    out.latency_ns = std::max(out.latency_ns, route.latency_ns);
  }
  return out;
}

/// The host whose memory is nearest.
Route from_host(const Fabric& fabric, NodeId gpu) {
  Route best;
  for (const NodeId host : system::nodes_of<Host>(fabric.system())) {
    Route route = fabric.route(host, gpu);
    if (best.hops.empty() || route.hops.size() < best.hops.size()) {
      best = std::move(route);
    }
  }
  return best;
}

std::vector<CopyRate> host_rates(const Fabric& fabric, const std::vector<NodeId>& gpus) {
  const System& system = fabric.system();
  const Route first = from_host(fabric, gpus.front());
  const std::string host = system.nodes[first.from].name;
  const std::string gpu = system.nodes[gpus.front()].name;
  std::vector<CopyRate> all{rate_of(fabric, host + " to " + gpu, {first})};
  all.push_back(rate_of(fabric, host + " and " + gpu + ", both ways", {first, fabric.route(first.to, first.from)}));
  if (gpus.size() > 1) {
    std::vector<Route> routes;
    for (const NodeId id : gpus) {
      routes.push_back(from_host(fabric, id));
    }
    all.push_back(rate_of(fabric, "hosts to every GPU at once, each", routes));
  }
  return all;
}

std::vector<CopyRate> gpu_rates(const Fabric& fabric, const std::vector<NodeId>& gpus) {
  const System& system = fabric.system();
  const auto name = [&](NodeId id) { return system.nodes[id].name; };
  const Route there = fabric.route(gpus[0], gpus[1]);
  std::vector<CopyRate> all{rate_of(fabric, name(gpus[0]) + " to " + name(gpus[1]), {there})};
  all.push_back(rate_of(fabric, name(gpus[0]) + " and " + name(gpus[1]) + ", both ways, each",
                        {there, fabric.route(gpus[1], gpus[0])}));
  const Route far = fabric.route(gpus.front(), gpus.back());
  if (gpus.size() > 2) {
    all.push_back(rate_of(fabric, name(gpus.front()) + " to " + name(gpus.back()), {far}));
    std::vector<Route> ring;
    for (std::size_t i = 0; i < gpus.size(); ++i) {
      ring.push_back(fabric.route(gpus[i], gpus[(i + 1) % gpus.size()]));
    }
    all.push_back(rate_of(fabric, "every GPU to the next at once, each", ring));
  }
  return all;
}

}  // namespace

std::string span_text(const System& system, std::vector<NodeId> nodes) {
  std::ranges::sort(nodes);
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
  std::string text;
  for (std::size_t i = 0; i < nodes.size();) {
    std::size_t end = i + 1;
    const auto stem = [&](NodeId id) {
      const std::string& name = system.nodes[id].name;
      return name.substr(0, name.find_last_not_of("0123456789") + 1);
    };
    while (end < nodes.size() && nodes[end] == nodes[end - 1] + 1 && stem(nodes[end]) == stem(nodes[i])) {
      ++end;
    }
    const std::string& first = system.nodes[nodes[i]].name;
    const std::string& last = system.nodes[nodes[end - 1]].name;
    text += (text.empty() ? "" : ", ") + first;
    if (end > i + 1) {
      text += ".." + last.substr(stem(nodes[i]).size());
    }
    i = end;
  }
  return text;
}

std::string gpus_text(const System& system) {
  std::vector<std::pair<std::string, int>> counts;
  for (const NodeId id : system::nodes_of<Gpu>(system)) {
    const std::string& arch = std::get<Gpu>(system.nodes[id].is).arch;
    const auto found = std::ranges::find(counts, arch, &std::pair<std::string, int>::first);
    if (found == counts.end()) {
      counts.emplace_back(arch, 1);
    } else {
      ++found->second;
    }
  }
  std::string text;
  for (const auto& [arch, count] : counts) {
    text += fmt::format("{}{} x {}", text.empty() ? "" : " and ", count, arch);
  }
  return text;
}

std::uint64_t gpu_bandwidth(const System& system, system::LinkKind kind) {
  const NodeId gpu = system::nodes_of<Gpu>(system).front();
  std::uint64_t sum = 0;
  for (const Link& link : system.links) {
    const system::LinkType& type = system.link_types[link.type];
    if (type.kind == kind && (link.from == gpu || link.to == gpu)) {
      sum += type.bytes_per_second * link.count;
    }
  }
  return sum;
}

bool reduces_in_network(const System& system) {
  return std::ranges::any_of(system.nodes, [](const system::Node& node) {
    const auto* const of = std::get_if<system::Switch>(&node.is);
    return of != nullptr && of->reduction == system::Reduction::kInNetwork;
  });
}

std::string joins_text(const System& system, std::uint32_t type) {
  // By what they lead to and how many are side by side.
  std::map<std::pair<NodeId, std::uint32_t>, std::vector<NodeId>> sides;
  for (const Link& link : system.links) {
    if (link.type == type) {
      sides[{link.to, link.count}].push_back(link.from);
    }
  }
  std::string text;
  for (const auto& [to, from] : sides) {
    text += (text.empty() ? "" : "; ") + span_text(system, from) + " to " + system.nodes[to.first].name;
    text += to.second > 1 ? fmt::format(" ({} each)", to.second) : "";
  }
  return text;
}

std::vector<CopyRate> copy_rates(const Fabric& fabric) {
  const std::vector<NodeId> gpus = system::nodes_of<Gpu>(fabric.system());
  std::vector<CopyRate> all = host_rates(fabric, gpus);
  if (gpus.size() > 1) {
    const std::vector<CopyRate> between = gpu_rates(fabric, gpus);
    all.insert(all.end(), between.begin(), between.end());
  }
  return all;
}

}  // namespace gpusim::system_tables
