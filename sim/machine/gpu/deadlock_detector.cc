// SPDX-License-Identifier: MIT
// The wait-for graph has a node a resident warp and a node a barrier, mbarrier or register pool somebody waits for; a
// waiting warp points to what it waits for, and that to the warps of its CTA that do not wait for it as well. A
// strongly connected component of more than one node is a deadlock; the shortest circle in it is what the user reads.
// The barrier of a cluster is one more node, which waits for warps of all its CTAs; where CTAs signal one another's
// mbarriers, so does each mbarrier.
#include "sim/machine/gpu/deadlock_detector.h"

#include <algorithm>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <tuple>

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/strong_components.hpp>

#include "sim/base/problem.h"
#include "sim/base/text.h"
#include "sim/machine/sm/async/mbarrier.h"
#include "sim/machine/sm/async/mbarrier_wait_queue.h"
#include "sim/machine/sm/warps/named_barriers.h"
#include "sim/machine/sm/warps/waits.h"
#include "sim/machine/sm/wgmma/wgmma_queue.h"
#include "sim/model/trace/dump_command.h"
#include "sim/model/trace/kernel.h"

namespace gpusim::gpu {
namespace {

using Graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS>;
using Node = Graph::vertex_descriptor;

/// Numbers of what warps wait for: named barriers from 0 on, mbarriers from here on, and last the register pool.
constexpr std::uint32_t kFirstMbarrier = sm::kNamedBarriers;

/// A barrier of one CTA on one SM; or, of kClusters in place of the SM, that of the cluster in place of the CTA.
using BarrierKey = std::tuple<std::uint32_t, std::uint64_t, std::uint32_t>;
constexpr std::uint32_t kClusters = 0xffffffffU;

struct NodeInfo {
  const sm::WarpWait* warp = nullptr;  ///< null: a barrier
  std::uint32_t sm = 0;
  std::uint64_t cta = 0;
  std::uint32_t barrier = 0;
};

/// Whether CTAs of a cluster arrive at, or copy to, one another's mbarriers.
bool signals_between_ctas(const trace::Kernel& kernel) {
  return std::ranges::any_of(kernel.code, [](const isa::Instr& instr) {
    return instr.of_cluster || (instr.space == isa::MemSpace::kClusterShared && instr.kind != isa::OpKind::kLoad);
  });
}

bool waits(const sm::WarpWait& warp, stats::StallMask states) {
  return (warp.waits & states) != 0;
}

/// At a barrier of its CTA.
bool at_barrier(const sm::WarpWait& warp) {
  return waits(warp, mask_of(stats::Stall::kBarrier)) && !warp.cluster_waits;
}

class WaitForGraph {
 public:
  WaitForGraph(const trace::Kernel& kernel, const std::vector<SmWaits>& all)
      : between_ctas_(signals_between_ctas(kernel)) {
    for (const SmWaits& on_sm : all) {
      for (const sm::WarpWait& warp : on_sm.warps) {
        add({&warp, on_sm.sm, warp.cta, 0});
        if (const auto object = waits_at(warp)) {
          barriers_.try_emplace(BarrierKey{on_sm.sm, warp.cta, *object}, Barrier{0, warp.cluster});
        }
        if (warp.cluster_waits) {
          barriers_.try_emplace(BarrierKey{kClusters, warp.cluster, 0}, Barrier{0, warp.cluster});
        }
      }
    }
    for (auto& [key, barrier] : barriers_) {
      barrier.node = add({nullptr, std::get<0>(key), std::get<1>(key), std::get<2>(key)});
    }
    connect();
  }

  /// Nodes of the shortest circle, in order of waiting; empty when there is none.
  [[nodiscard]] std::vector<Node> circle() const {
    std::vector<std::size_t> component(boost::num_vertices(graph_));
    boost::strong_components(graph_, component.data());
    std::vector<Node> best;
    for (Node start = 0; start < boost::num_vertices(graph_); ++start) {
      std::vector<Node> found = circle_through(start, component);
      if (!found.empty() && (best.empty() || found.size() < best.size())) {
        best = std::move(found);
      }
    }
    return best;
  }
  [[nodiscard]] const NodeInfo& info(Node node) const { return infos_[node]; }

 private:
  struct Barrier {
    Node node = 0;
    std::uint64_t cluster = 0;
  };

  static std::optional<std::uint32_t> waits_at(const sm::WarpWait& warp) {
    if (at_barrier(warp)) {
      return warp.barrier;
    }
    if (!warp.poll) {
      return std::nullopt;
    }
    return warp.poll->object == sm::Poll::kRegisterPool ? sm::Poll::kRegisterPool : kFirstMbarrier + warp.poll->object;
  }

  /// An mbarrier that other CTAs may signal.
  [[nodiscard]] bool is_signalled(std::uint32_t object) const {
    return between_ctas_ && object >= kFirstMbarrier && object != sm::Poll::kRegisterPool;
  }

  Node add(const NodeInfo& info) {
    infos_.push_back(info);
    return boost::add_vertex(graph_);
  }

  void connect() {
    for (Node node = 0; node < infos_.size(); ++node) {
      const NodeInfo& info = infos_[node];
      if (info.warp == nullptr || info.warp->exited) {
        continue;
      }
      for (const auto& [key, barrier] : barriers_) {
        if (std::get<0>(key) == kClusters) {
          connect_to_cluster(node, std::get<1>(key), barrier.node);
          continue;
        }
        const auto [sm, cta, object] = key;
        const bool of_cta = sm == info.sm && cta == info.cta;
        if (of_cta && waits_at(*info.warp) == object) {
          boost::add_edge(node, barrier.node, graph_);
        } else if (of_cta || (is_signalled(object) && barrier.cluster == info.warp->cluster)) {
          boost::add_edge(barrier.node, node, graph_);
        }
      }
    }
  }

  void connect_to_cluster(Node node, std::uint64_t cluster, Node barrier) {
    const sm::WarpWait& warp = *infos_[node].warp;
    if (warp.cluster == cluster && warp.cluster_waits) {
      boost::add_edge(node, barrier, graph_);
    } else if (warp.cluster == cluster && !warp.cluster_arrived) {
      boost::add_edge(barrier, node, graph_);
    }
  }

  /// Breadth first from `start` back to it, inside its component.
  [[nodiscard]] std::vector<Node> circle_through(Node start, const std::vector<std::size_t>& component) const {
    std::vector<Node> parent(infos_.size(), Graph::null_vertex());
    std::deque<Node> open{start};
    while (!open.empty()) {
      const Node node = open.front();
      open.pop_front();
      for (auto [edge, end] = boost::out_edges(node, graph_); edge != end; ++edge) {
        const Node next = boost::target(*edge, graph_);
        if (next == start) {
          return path(start, node, parent);
        }
        if (component[next] == component[start] && parent[next] == Graph::null_vertex()) {
          parent[next] = node;
          open.push_back(next);
        }
      }
    }
    return {};
  }

  static std::vector<Node> path(Node start, Node last, const std::vector<Node>& parent) {
    std::vector<Node> nodes;
    for (Node node = last; node != start; node = parent[node]) {
      nodes.push_back(node);
    }
    nodes.push_back(start);
    std::reverse(nodes.begin(), nodes.end());
    return nodes;
  }

  Graph graph_;
  std::vector<NodeInfo> infos_;
  std::map<BarrierKey, Barrier> barriers_;
  bool between_ctas_;
};

std::string instruction(const trace::Kernel& kernel, std::uint32_t pc) {
  const isa::InstrText& text = kernel.texts[pc];
  const std::string& file = kernel.where.file;
  const std::string line = file.empty() ? "line " + std::to_string(text.line) : file + ":" + std::to_string(text.line);
  return "'" + text.text + "'" + (text.line != 0 ? " (" + line + ")" : "");
}

/// Where the warp stands. At a barrier it has issued the BAR, and polling it has issued the question: its next
/// instruction says nothing of that.
std::string place_of(const trace::Kernel& kernel, const sm::WarpWait& warp) {
  if (at_barrier(warp) && warp.pc > 0 && kernel.texts[warp.pc - 1].opcode.starts_with("BAR")) {
    return " at " + instruction(kernel, warp.pc - 1);
  }
  return warp.poll ? " at " + instruction(kernel, warp.poll->pc) : ", next " + instruction(kernel, warp.pc);
}

std::string describe(const trace::Kernel& kernel, const sm::WarpWait& warp) {
  return "warp " + std::to_string(warp.warp_in_cta) + " of CTA " + std::to_string(warp.cta) + place_of(kernel, warp);
}

/// "k.trace:3: " where the kernel's place is known.
std::string place(const trace::Kernel& kernel) {
  return kernel.where.file.empty() ? "" : to_text(Problem{kernel.where, "", ""});
}

/// How many warps have arrived at the barrier, if the barrier counts warps.
std::string count_of(const sm::WarpWait& warp) {
  return warp.barrier_needed == 0 ? ""
                                  : ", where " + std::to_string(warp.barrier_arrivals) + " of " +
                                        std::to_string(warp.barrier_needed) + " warps have arrived";
}

/// The warps of a warpgroup that have not issued the WGMMA operation, by their numbers in the CTA: "warp 2, warp 3".
std::string missing_warps(const trace::Kernel& kernel, const sm::WarpWait& warp) {
  const std::uint32_t first = warp.warp_in_cta / sm::kWarpgroupWarps * sm::kWarpgroupWarps;
  std::string text;
  for (std::uint32_t i = 0; i < sm::kWarpgroupWarps; ++i) {
    if ((warp.wgmma_missing >> i & 1U) != 0) {
      text += (text.empty() ? "warp " : ", warp ") + std::to_string(first + i);
      text += first + i < kernel.warps_per_cta() ? "" : " (its CTA has none)";
    }
  }
  return text;
}

/// What an mbarrier's phase still lacks.
std::string lacks(const sm::Mbarrier& mbarrier) {
  return std::to_string(mbarrier.expected - mbarrier.pending) + " of " + counted(mbarrier.expected, "arrival") +
         " made, " + std::to_string(mbarrier.bytes) + " bytes outstanding";
}

std::string waits_for(const trace::Kernel& kernel, const sm::PollWait& poll) {
  if (poll.object == sm::Poll::kRegisterPool) {
    return "waits for " + std::to_string(poll.registers_wanted) +
           " more registers a thread, where the CTA's pool has " + std::to_string(poll.registers_free);
  }
  return "waits for mbarrier '" + trace::mbarrier_name(kernel, poll.object) + "', parity " + (poll.parity ? "1" : "0") +
         ": phase " + std::to_string(poll.mbarrier.phase) + " has " + lacks(poll.mbarrier);
}

std::string waits_for(const trace::Kernel& kernel, const sm::WarpWait& warp) {
  if (warp.wgmma_missing != 0) {
    return std::string(warp.exited ? "has exited and waits for a" : "waits for a") +
           " WGMMA operation of its warpgroup, which takes all four warps and was not issued by " +
           missing_warps(kernel, warp);
  }
  if (warp.exited) {
    return "has exited and waits for operations that never end";
  }
  if (warp.cluster_waits) {
    return "waits at the barrier of cluster " + std::to_string(warp.cluster);
  }
  if (at_barrier(warp)) {
    return "waits at barrier " + std::to_string(warp.barrier) + count_of(warp);
  }
  if (warp.poll) {
    return waits_for(kernel, *warp.poll);
  }
  if (waits(warp, sm::kScoreboards)) {
    return "waits for a dependence counter";
  }
  return waits(warp, mask_of(stats::Stall::kMembar)) ? "waits for a fence" : "waits to issue";
}

std::string object_name(const trace::Kernel& kernel, std::uint32_t object) {
  if (object == sm::Poll::kRegisterPool) {
    return "the register pool";
  }
  return object < kFirstMbarrier ? "barrier " + std::to_string(object)
                                 : "mbarrier '" + trace::mbarrier_name(kernel, object - kFirstMbarrier) + "'";
}

std::string describe(const trace::Kernel& kernel, const NodeInfo& barrier) {
  return barrier.sm == kClusters ? "the barrier of cluster " + std::to_string(barrier.cta)
                                 : object_name(kernel, barrier.barrier) + " of CTA " + std::to_string(barrier.cta);
}

/// What warps wait for, of which each kind has its own advice.
struct Kinds {
  bool barriers = false;
  bool mbarriers = false;
  bool pools = false;
  bool wgmma = false;
  bool others = false;

  void add(const sm::WarpWait& warp) {
    const bool pool = warp.poll && warp.poll->object == sm::Poll::kRegisterPool;
    const bool barrier = !warp.exited && (warp.cluster_waits || at_barrier(warp));
    pools = pools || pool;
    mbarriers = mbarriers || (warp.poll && !pool);
    wgmma = wgmma || warp.wgmma_missing != 0;
    barriers = barriers || barrier;
    others = others || !(warp.poll || barrier || warp.wgmma_missing != 0);
  }
};

/// What has to be true for a kernel to go on, in sentences.
std::string advice(const Kinds& kinds) {
  std::string text;
  if (kinds.barriers) {
    text +=
        " Every warp of a CTA must reach each of its barriers, or exit, and every warp of a cluster the cluster's; a "
        "barrier with a count needs as many arrivals.";
  }
  if (kinds.mbarriers) {
    text +=
        " A phase of an mbarrier needs the arrivals that it was initialised with, and all bytes that were announced.";
  }
  if (kinds.pools) {
    text += " Other warps of the CTA must give registers back (USETMAXREG.DEALLOC) before more can be taken.";
  }
  if (kinds.wgmma) {
    text += " All four warps of a warpgroup must issue each of its WGMMA operations.";
  }
  if (kinds.others) {
    text += " Look at what the instructions before these places began: it never ends.";
  }
  return text.empty() ? text : text.substr(1);
}

std::string describe_circle(const trace::Kernel& kernel, const WaitForGraph& graph, const std::vector<Node>& circle) {
  std::string text = "the circle of waiting:\n";
  Kinds kinds;
  for (const Node node : circle) {
    const NodeInfo& info = graph.info(node);
    if (info.warp != nullptr) {
      kinds.add(*info.warp);
    }
    text += info.warp != nullptr ? "  " + describe(kernel, *info.warp) + ", " + waits_for(kernel, *info.warp) + "\n"
                                 : "  " + describe(kernel, info) + " waits for\n";
  }
  return text + "  ... which is where it began. " + advice(kinds);
}

/// Warps that stand at one place and wait for the same, of any CTAs.
struct AlikeWarps {
  std::string first;  ///< the first of them, described
  std::uint64_t warps = 0;
  std::set<std::uint64_t> ctas;

  [[nodiscard]] std::string text() const {
    if (warps == 1) {
      return first;
    }
    if (ctas.size() == 1) {
      return first + "; " + counted(warps, "warp") + " of this CTA wait like this";
    }
    const std::string all = counted(ctas.size(), "CTA");
    return first + "; " + (warps == ctas.size() ? all : counted(warps, "warp") + " of " + all) + " wait like this";
  }
};

std::string describe_first(const trace::Kernel& kernel, const std::vector<SmWaits>& waits) {
  constexpr std::size_t kMostListed = 8;
  std::vector<AlikeWarps> groups;
  std::map<std::string, std::size_t> group_of;  // by place and reason
  Kinds kinds;
  for (const SmWaits& on_sm : waits) {
    for (const sm::WarpWait& warp : on_sm.warps) {
      kinds.add(warp);
      const std::string reason = ", " + waits_for(kernel, warp);
      const auto [known, is_new] = group_of.emplace(place_of(kernel, warp) + reason, groups.size());
      if (is_new) {
        groups.push_back({"SM " + std::to_string(on_sm.sm) + ": " + describe(kernel, warp) + reason, 0, {}});
      }
      groups[known->second].warps += 1;
      groups[known->second].ctas.insert(warp.cta);
    }
  }
  std::string text = "warps that wait:\n";
  for (std::size_t i = 0; i < std::min(groups.size(), kMostListed); ++i) {
    text += "  " + groups[i].text() + "\n";
  }
  if (groups.size() > kMostListed) {
    text += "  and others at " + counted(groups.size() - kMostListed, "more place") + "\n";
  }
  return text + "  " + advice(kinds);
}

}  // namespace

std::string explain_deadlock(const trace::Kernel& kernel, const std::vector<SmWaits>& waits, Cycle cycle) {
  const std::string head = place(kernel) + "kernel '" + kernel.name + "' cannot finish: at cycle " +
                           std::to_string(cycle) + " nothing can progress; ";
  const WaitForGraph graph(kernel, waits);
  const std::vector<Node> circle = graph.circle();
  return head + (circle.empty() ? describe_first(kernel, waits) : describe_circle(kernel, graph, circle));
}

}  // namespace gpusim::gpu
