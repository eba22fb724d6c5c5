// SPDX-License-Identifier: MIT
// An order of the nodes of a trace in which each comes after what it needs.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "sim/system/chakra/trace.h"

namespace gpusim::chakra {

/// Nodes as a graph: positions in the trace, by position.
struct NodeGraph {
  std::vector<std::vector<std::size_t>> needs;
  /// Next comes, among nodes that may, the one that was issued first, then that which began first, then the first in
  /// the file. Work of a GPU was issued when the last node of the CPU began that it needs.
  std::vector<std::size_t> order;
};

/// Throws InputError, with `name` in front, for a need that is not there, and for needs in a circle, which are named.
[[nodiscard]] NodeGraph order_nodes(const std::vector<Node>& nodes, const std::string& name);

}  // namespace gpusim::chakra
