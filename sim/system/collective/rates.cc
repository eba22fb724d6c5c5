// SPDX-License-Identifier: MIT
#include "sim/system/collective/rates.h"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <vector>

namespace gpusim::collective {
namespace {

using system::Fabric;
using system::Gpu;
using system::LinkKind;
using system::NodeId;
using system::Route;
using system::System;

constexpr double kGiga = 1e9;

/// Links and bytes a second that each GPU has over NVLink to the others or to a switch.
struct NvlinkOf {
  std::uint32_t links = 0;
  double usable = 0;
  double line = 0;
};

bool is_among(std::span<const NodeId> gpus, NodeId id) {
  return std::ranges::find(gpus, id) != gpus.end();
}

/// The NVLinks of the GPU that has the fewest; none when a GPU is not reached by any.
NvlinkOf nvlink_of(const System& system, std::span<const NodeId> gpus) {
  NvlinkOf least{std::numeric_limits<std::uint32_t>::max(), 0, 0};
  for (const NodeId gpu : gpus) {
    NvlinkOf sum;
    for (const system::Link& link : system.links) {
      const system::LinkType& type = system.link_types[link.type];
      const NodeId other = link.from == gpu ? link.to : link.from;
      const bool is_own = link.from == gpu || link.to == gpu;
      const bool leads_on = is_among(gpus, other) || std::holds_alternative<system::Switch>(system.nodes[other].is);
      if (type.kind == LinkKind::kNvlink && is_own && leads_on) {
        sum.links += link.count;
        sum.usable += static_cast<double>(type.usable_bytes_per_second) * link.count;
        sum.line += static_cast<double>(type.bytes_per_second) * link.count;
      }
    }
    least = sum.links < least.links ? sum : least;
  }
  return least;
}

/// Whether each two of them have a route of NVLinks alone.
bool all_pairs_on_nvlink(const Fabric& fabric, std::span<const NodeId> gpus) {
  for (const NodeId from : gpus) {
    for (const NodeId to : gpus) {
      if (from != to && !topology_word(fabric.system(), fabric.route(from, to)).starts_with("NV")) {
        return false;
      }
    }
  }
  return true;
}

/// What the slowest of copies at once reaches, and whether any goes through host memory.
struct Slowest {
  double rate = 0;
  bool is_staged = false;
};

Slowest slowest_of(const Fabric& fabric, const std::vector<Route>& routes) {
  const std::vector<double> rates = fabric.rates(routes);
  return {*std::ranges::min_element(rates),
          std::ranges::any_of(routes, [](const Route& route) { return route.staged_in.has_value(); })};
}

/// Each GPU to the next; with `closed` the last to the first as well.
std::vector<Route> line_of(const Fabric& fabric, std::span<const NodeId> gpus, bool closed) {
  std::vector<Route> routes;
  for (std::size_t i = 0; i + (closed ? 0 : 1) < gpus.size(); ++i) {
    routes.push_back(fabric.route(gpus[i], gpus[(i + 1) % gpus.size()]));
  }
  return routes;
}

double pairs_rate(const Fabric& fabric, std::span<const NodeId> gpus, double staged_share) {
  std::vector<Route> routes;
  for (const NodeId from : gpus) {
    for (const NodeId to : gpus) {
      if (from != to) {
        routes.push_back(fabric.route(from, to));
      }
    }
  }
  const Slowest slowest = slowest_of(fabric, routes);
  return slowest.rate * static_cast<double>(gpus.size() - 1) * (slowest.is_staged ? staged_share : 1);
}

Generation generation_of(const Gpu& gpu) {
  const int major = std::atoi(gpu.compute_capability.c_str());
  return major >= 10  ? Generation::kBlackwell
         : major == 9 ? Generation::kHopper
         : major == 8 ? Generation::kAmpere
                      : Generation::kVolta;
}

/// All-reduce of rings over NVLink: the time of 1 MB beyond latency and rate, fitted.
double middle_of(Generation generation) {
  switch (generation) {
    case Generation::kVolta:
    case Generation::kAmpere: return 30;
    case Generation::kHopper: return 7;
    case Generation::kBlackwell: return 9;
  }
  return 0;
}

/// Bus bandwidth of NVLS for `gpus` GPUs where each puts `wire` bytes a second on its links.
double nvls_bus(double wire, double gpus) {
  return wire * 2 * (gpus - 1) / (gpus + 1);
}

double or_else(std::uint64_t said, double rule) {
  return said > 0 ? static_cast<double>(said) : rule;
}

}  // namespace

NcclView nccl_view(const System& system, std::span<const NodeId> gpus) {
  const Gpu& first = std::get<Gpu>(system.nodes[gpus.front()].is);
  NcclView view;
  view.generation = generation_of(first);
  view.gpus = static_cast<std::uint32_t>(gpus.size());
  view.nvlinks = nvlink_of(system, gpus).links;
  view.has_full_nvlinks = first.compute_capability != "8.6";
  for (const system::Node& node : system.nodes) {
    const auto* const of = std::get_if<system::Switch>(&node.is);
    view.reduces_in_network |= of != nullptr && of->reduction == system::Reduction::kInNetwork;
  }
  double slowest = std::numeric_limits<double>::infinity();
  for (const system::LinkType& type : system.link_types) {
    if (type.kind == LinkKind::kPcie) {
      // NCCL counts 12 of the 15.75 GB/s of PCIe 3.0 x16, and in proportion.
      slowest = std::min(slowest, static_cast<double>(type.bytes_per_second) / kGiga * 12 / 15.75);
    }
  }
  view.pcie_gigabytes_per_second = slowest < std::numeric_limits<double>::infinity() ? slowest : 12;
  return view;
}

double line_rate(const Fabric& fabric, std::span<const NodeId> gpus) {
  const System& system = fabric.system();
  const NvlinkOf nvlinks = nvlink_of(system, gpus);
  if (nvlinks.links > 0) {
    return nvlinks.line;
  }
  double slowest = std::numeric_limits<double>::infinity();
  for (const Route& route : line_of(fabric, gpus, true)) {
    for (const system::Hop& hop : route.hops) {
      const system::Link& link = system.links[hop.link];
      slowest = std::min(slowest, static_cast<double>(system.link_types[link.type].bytes_per_second) * link.count);
    }
  }
  return slowest;
}

Reach reach_by_rule(const Fabric& fabric, std::span<const NodeId> gpus) {
  constexpr double kNvlinkShare = 0.9;   // rings of A100, H200 and GH200 reach 0.89 to 0.93 of what a copy reaches
  constexpr double kPairsShare = 0.78;   // send/receive of 8 A100, of the ring's rate
  constexpr double kNvlsShare = 0.80;    // 8 H100 put 0.82 of what a copy reaches on their links, 8 B200 0.76
  constexpr double kStagedRing = 0.45;   // 2 RTX 2080 Ti, of what copies both ways would reach
  constexpr double kStagedPairs = 0.52;  // likewise
  constexpr double kChainShare = 0.9;    // likewise, one way
  constexpr double kBase = 8.1;          // NCCL's 6.6 us, and 1.5 us of the launch
  constexpr double kPcieMiddle = 12;     // 2 RTX 2080 Ti
  constexpr double kNvlinkHop = 0.6;     // NCCL's
  constexpr double kPcieHop = 1.0;       // NCCL's
  const System& system = fabric.system();
  const NcclView view = nccl_view(system, gpus);
  const auto n = static_cast<double>(gpus.size());
  Reach reach;
  reach.base_us = kBase;
  if (view.nvlinks > 0) {
    const double usable = nvlink_of(system, gpus).usable;
    reach.ring = kNvlinkShare * usable;
    reach.chain = reach.ring;
    const bool has_all_pairs = all_pairs_on_nvlink(fabric, gpus);
    reach.pairs = has_all_pairs ? kPairsShare * reach.ring : pairs_rate(fabric, gpus, kStagedPairs);
    reach.peers = has_all_pairs ? usable : 0;
    reach.nvls = view.reduces_in_network ? nvls_bus(kNvlsShare * usable, n) : 0;
    reach.hop_us = kNvlinkHop;
    reach.middle_us = middle_of(view.generation);
    return reach;
  }
  const Slowest ring = slowest_of(fabric, line_of(fabric, gpus, true));
  const Slowest chain = slowest_of(fabric, line_of(fabric, gpus, false));
  reach.ring = ring.rate * (ring.is_staged ? kStagedRing : 1);
  reach.chain = kChainShare * chain.rate;
  reach.pairs = pairs_rate(fabric, gpus, kStagedPairs);
  reach.hop_us = kPcieHop;
  reach.middle_us = kPcieMiddle;
  return reach;
}

Reach reach_of(const Fabric& fabric, std::span<const NodeId> gpus) {
  const System& system = fabric.system();
  const std::vector<NodeId> all = system::nodes_of<Gpu>(system);
  const Reach some = reach_by_rule(fabric, gpus);
  const system::CollectiveRates& said = system.collectives;
  Reach reach = all.size() > 1 ? reach_by_rule(fabric, all) : some;
  const auto scaled = [](std::uint64_t file, double rule_all, double rule_some) {
    return rule_all > 0 ? or_else(file, rule_all) * rule_some / rule_all : rule_some;
  };
  reach.ring = scaled(said.ring, reach.ring, some.ring);
  reach.chain = scaled(said.chain > 0 ? said.chain : said.ring, reach.chain, some.chain);
  reach.pairs = scaled(said.pairs, reach.pairs, some.pairs);
  reach.nvls = scaled(said.nvls, reach.nvls, some.nvls);
  constexpr double kMicro = 1e-3;
  reach.base_us = said.base_ns > 0 ? kMicro * static_cast<double>(said.base_ns) : some.base_us;
  reach.middle_us = said.middle_ns > 0 ? kMicro * static_cast<double>(said.middle_ns) : some.middle_us;
  reach.hop_us = some.hop_us;
  reach.peers = some.peers;
  return reach;
}

}  // namespace gpusim::collective
