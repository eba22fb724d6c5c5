// SPDX-License-Identifier: MIT
#include "sim/model/trace/cfg.h"

#include <algorithm>

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/dominator_tree.hpp>
#include <boost/range/iterator_range.hpp>

namespace gpusim::trace {
namespace {

using Graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::bidirectionalS>;
using Vertex = boost::graph_traits<Graph>::vertex_descriptor;

/// Block of each instruction, from the blocks' first instructions.
std::vector<std::uint32_t> block_of(std::uint32_t count, std::span<const std::uint32_t> leaders) {
  std::vector<std::uint32_t> block(count);
  for (std::size_t b = 0; b < leaders.size(); ++b) {
    const std::uint32_t end = b + 1 < leaders.size() ? leaders[b + 1] : count;
    std::fill(block.begin() + leaders[b], block.begin() + end, static_cast<std::uint32_t>(b));
  }
  return block;
}

/// Boost's algorithm takes every predecessor for reachable from the root, so blocks that cannot end lose their edges.
void cut_endless_blocks(Graph& reversed) {
  const Vertex root = boost::num_vertices(reversed) - 1;
  std::vector<bool> ends(boost::num_vertices(reversed), false);
  std::vector<Vertex> open{root};
  ends[root] = true;
  while (!open.empty()) {
    const Vertex at = open.back();
    open.pop_back();
    for (const auto& edge : boost::make_iterator_range(boost::out_edges(at, reversed))) {
      const Vertex before = boost::target(edge, reversed);
      if (!ends[before]) {
        ends[before] = true;
        open.push_back(before);
      }
    }
  }
  for (Vertex block = 0; block < root; ++block) {
    if (!ends[block]) {
      boost::clear_out_edges(block, reversed);
    }
  }
}

/// Immediate dominators of the reversed graph of blocks, whose root is the exit, numbered last.
std::vector<Vertex> dominators_from_exit(const Graph& reversed) {
  const Vertex root = boost::num_vertices(reversed) - 1;
  std::vector<Vertex> dominator(boost::num_vertices(reversed), boost::graph_traits<Graph>::null_vertex());
  boost::lengauer_tarjan_dominator_tree(
      reversed, root, boost::make_iterator_property_map(dominator.begin(), boost::get(boost::vertex_index, reversed)));
  return dominator;
}

}  // namespace

std::vector<std::uint32_t> block_leaders(std::uint32_t count, std::span<const Edge> edges) {
  std::vector<bool> leads(count, false);
  std::vector<bool> runs_on(count, false);
  std::vector<std::uint32_t> successors(count, 0);
  if (count > 0) {
    leads[0] = true;
  }
  for (const Edge& edge : edges) {
    ++successors[edge.from];
    if (edge.to == edge.from + 1) {
      runs_on[edge.from] = true;
    } else if (edge.to != kExitNode) {
      leads[edge.to] = true;
    }
  }
  std::vector<std::uint32_t> leaders;
  for (std::uint32_t i = 0; i < count; ++i) {
    if (i > 0 && (!runs_on[i - 1] || successors[i - 1] > 1)) {
      leads[i] = true;
    }
    if (leads[i]) {
      leaders.push_back(i);
    }
  }
  return leaders;
}

std::vector<std::uint32_t> immediate_post_dominators(std::uint32_t count, std::span<const Edge> edges) {
  const std::vector<std::uint32_t> leaders = block_leaders(count, edges);
  const std::vector<std::uint32_t> block = block_of(count, leaders);
  const std::size_t exit = leaders.size();
  Graph reversed(leaders.size() + 1);
  for (const Edge& edge : edges) {
    // Within a block control only runs on.
    const bool inside = edge.to == edge.from + 1 && block[edge.from] == block[edge.to];
    if (!inside) {
      boost::add_edge(edge.to == kExitNode ? exit : block[edge.to], block[edge.from], reversed);
    }
  }
  cut_endless_blocks(reversed);
  const std::vector<Vertex> dominator = dominators_from_exit(reversed);
  std::vector<std::uint32_t> result(count, kExitNode);
  for (std::uint32_t i = 0; i < count; ++i) {
    const bool last = i + 1 == count || block[i + 1] != block[i];
    const Vertex join = dominator[block[i]];
    if (!last) {
      result[i] = join == boost::graph_traits<Graph>::null_vertex() ? kExitNode : i + 1;
    } else if (join < exit) {
      result[i] = leaders[join];
    }
  }
  return result;
}

}  // namespace gpusim::trace
