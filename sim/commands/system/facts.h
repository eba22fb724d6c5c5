// SPDX-License-Identifier: MIT
// What tables of systems show, derived once from a system.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/system/config/system.h"
#include "sim/system/route/fabric.h"

namespace gpusim::system_tables {

/// "8 x a100", "4 x gh200 and 1 x h100".
[[nodiscard]] std::string gpus_text(const system::System& system);

/// Bytes a second each way of all links of a kind at the first GPU, as the vendor counts them; 0: it has none.
[[nodiscard]] std::uint64_t gpu_bandwidth(const system::System& system, system::LinkKind kind);

[[nodiscard]] bool reduces_in_network(const system::System& system);

/// "gpu0..3, gpu7" of some nodes, in the order of the system.
[[nodiscard]] std::string span_text(const system::System& system, std::vector<system::NodeId> nodes);

/// Nodes of one sort that are alike but for their names, in groups.
template <class T>
[[nodiscard]] std::vector<std::vector<system::NodeId>> alike(const system::System& system) {
  std::vector<std::vector<system::NodeId>> groups;
  for (const system::NodeId id : system::nodes_of<T>(system)) {
    const bool goes_on = !groups.empty() && system.nodes[groups.back().back()].is == system.nodes[id].is;
    if (!goes_on) {
      groups.emplace_back();
    }
    groups.back().push_back(id);
  }
  return groups;
}

/// Links of one type between the same sorts of nodes: "gpu0..7 to nvswitch (12 each)".
[[nodiscard]] std::string joins_text(const system::System& system, std::uint32_t type);

/// A copy, or several at once, and what each reaches.
struct CopyRate {
  std::string what;
  double bytes_per_second = 0;  ///< rate of the slowest
  double latency_ns = 0;        ///< latency of the longest route
  std::string way;              ///< "nvswitch", "plx0, cpu0"; "" when the nodes are neighbours
};

/// What copies reach: between a host and GPUs, between GPUs, one alone and many at once.
[[nodiscard]] std::vector<CopyRate> copy_rates(const system::Fabric& fabric);

}  // namespace gpusim::system_tables
