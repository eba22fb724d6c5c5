// SPDX-License-Identifier: MIT
#include "sim/system/config/gpu_count.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sim/base/problem.h"

namespace gpusim::system {
namespace {

/// "gpu" of "gpu7".
std::string stem_of(const std::string& name) {
  return name.substr(0, name.find_last_not_of("0123456789") + 1);
}

void add_links(System& system, NodeId like, NodeId added) {
  const std::size_t links = system.links.size();
  for (std::size_t i = 0; i < links; ++i) {
    Link link = system.links[i];
    if (link.from != like && link.to != like) {
      continue;
    }
    const NodeId other = link.from == like ? link.to : link.from;
    if (std::holds_alternative<Gpu>(system.nodes[other].is)) {
      throw InputError({{"--set " + std::string(kGpuCountKey), 0, 0},
                        "no GPU can be added to " + system.name + ", whose GPUs are linked with each other",
                        "GPUs behind switches or hosts can be added"});
    }
    (link.from == like ? link.from : link.to) = added;
    system.links.push_back(link);
  }
}

/// Puts the nodes in another order, some of them left out, with the links among those that stay.
void keep_nodes(System& system, const std::vector<NodeId>& order) {
  std::vector<std::optional<NodeId>> place(system.nodes.size());
  std::vector<Node> nodes;
  for (const NodeId id : order) {
    place[id] = static_cast<NodeId>(nodes.size());
    nodes.push_back(std::move(system.nodes[id]));
  }
  std::erase_if(system.links, [&](const Link& link) { return !place[link.from] || !place[link.to]; });
  for (Link& link : system.links) {
    link.from = *place[link.from];
    link.to = *place[link.to];
  }
  system.nodes = std::move(nodes);
}

}  // namespace

void set_gpu_count(System& system, std::uint64_t count) {
  const std::vector<NodeId> own = nodes_of<Gpu>(system);
  std::vector<NodeId> gpus(own.begin(),
                           own.begin() + static_cast<std::ptrdiff_t>(std::min<std::size_t>(count, own.size())));
  for (std::uint64_t i = own.size(); i < count; ++i) {
    const NodeId like = own[i % own.size()];
    const auto added = static_cast<NodeId>(system.nodes.size());
    Node node = system.nodes[like];
    node.name = stem_of(node.name) + std::to_string(i);
    system.nodes.push_back(std::move(node));
    add_links(system, like, added);
    gpus.push_back(added);
  }
  std::vector<NodeId> order = nodes_of<Host>(system);
  order.insert(order.end(), gpus.begin(), gpus.end());
  const std::vector<NodeId> switches = nodes_of<Switch>(system);
  order.insert(order.end(), switches.begin(), switches.end());
  keep_nodes(system, order);
}

}  // namespace gpusim::system
