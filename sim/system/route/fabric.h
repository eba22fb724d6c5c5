// SPDX-License-Identifier: MIT
// The links of a system as a graph: routes between GPUs and hosts, and what transfers on them share.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/system/config/system.h"
#include "sim/system/route/max_min.h"

namespace gpusim::system {

/// A link, passed from its `from` to its `to` or back.
struct Hop {
  std::uint32_t link = 0;  ///< an index into System::links
  bool forward = true;
  friend bool operator==(const Hop&, const Hop&) = default;
};

/// The way of a copy. Without peer access a copy between GPUs goes through the memory of a host, in two parts that
/// overlap.
struct Route {
  NodeId from = 0;
  NodeId to = 0;
  std::vector<Hop> hops;            ///< in order
  std::vector<NodeId> passed;       ///< nodes between the ends, in order
  std::optional<NodeId> staged_in;  ///< the host whose memory it goes through
  double latency_ns = 0;
};

/// Something that transfers share: a direction of a link, both directions of one, the memory of a host.
struct Resource {
  std::string name;             ///< "gpu0 -> nvswitch", "memory of cpu0"
  double bytes_per_second = 0;  ///< above 0
  bool is_sum = false;          ///< what two others carry together
};

class Fabric {
 public:
  /// The system outlives it. Throws InputError when a GPU has no route to a host.
  explicit Fabric(const System& system);
  ~Fabric();
  Fabric(const Fabric&) = delete;
  Fabric& operator=(const Fabric&) = delete;

  [[nodiscard]] const System& system() const { return system_; }

  /// The route between two different nodes, each a GPU or a host: the one on which 1 MiB takes least when latencies and
  /// bytes over usable rates are added up. No other GPU forwards. Throws InputError when there is none.
  [[nodiscard]] Route route(NodeId from, NodeId to) const;

  [[nodiscard]] std::span<const Resource> resources() const { return resources_; }
  /// What one byte on a route uses.
  [[nodiscard]] Uses uses_of(const Route& route) const;

  /// Rates of copies at once, in bytes a second.
  [[nodiscard]] std::vector<double> rates(std::span<const Route> routes) const;

 private:
  class Graph;

  void add_resources();
  void check_reach() const;
  [[nodiscard]] Route shortest(NodeId from, NodeId to, PeerAccess allowed) const;
  [[nodiscard]] Route staged(NodeId from, NodeId to) const;

  const System& system_;
  std::unique_ptr<const Graph> graph_;
  std::vector<Resource> resources_;
  std::vector<std::size_t> first_of_link_;  ///< its forward direction; the way back and both ways follow
  std::vector<std::size_t> memory_of_;      ///< by node; unused unless it is a host
};

/// What nvidia-smi topo -m would say of a route between two GPUs: NV12 (NVLinks), PIX (one PCIe switch), PXB (several),
/// PHB (a host's root ports), SYS (from one socket to another).
[[nodiscard]] std::string topology_word(const System& system, const Route& route);

}  // namespace gpusim::system
