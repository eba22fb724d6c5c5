// SPDX-License-Identifier: MIT
// A CTA while it runs: its warps, shared memory and named barriers.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "sim/exec/core/cluster.h"
#include "sim/exec/core/image.h"
#include "sim/exec/core/warp.h"

namespace gpusim::exec {

class ClusterPort;
class Watch;

inline constexpr unsigned kNamedBarriers = 16;

/// Number of a CTA in the grid, in each dimension.
struct CtaPlace {
  std::uint32_t x = 0;
  std::uint32_t y = 0;
  std::uint32_t z = 0;
};

class Cta {
 public:
  /// With all warps at the kernel's begin. `image` must outlive it.
  Cta(const Image& image, CtaPlace place);
  /// The same for one that is there already: costs less than a new one.
  void restart(CtaPlace place);
  Cta(const Cta&) = delete;
  Cta& operator=(const Cta&) = delete;

  [[nodiscard]] const Image& image() const { return image_; }
  [[nodiscard]] CtaPlace place() const { return place_; }
  [[nodiscard]] std::vector<Warp>& warps() { return warps_; }
  [[nodiscard]] std::span<std::byte> shared() { return shared_; }
  [[nodiscard]] bool has_exited() const { return live_threads() == 0; }

  /// Its place in its cluster: 0 and only itself, unless join() says otherwise.
  [[nodiscard]] std::uint32_t rank() const { return rank_; }
  void join(Cluster& cluster, std::uint32_t rank);
  [[nodiscard]] Cluster& cluster() { return *cluster_; }
  /// A CTA of its cluster; null for a rank that no CTA has, or one that runs apart.
  [[nodiscard]] Cta* member(std::uint32_t rank) {
    return rank == rank_ ? this : cluster_port_ == nullptr ? cluster_->member(rank) : nullptr;
  }
  /// The other CTAs of its cluster run apart. `port` must outlive it.
  void run_apart(std::uint32_t rank, ClusterPort& port);
  /// Null where all CTAs of the cluster take turns.
  [[nodiscard]] ClusterPort* cluster_port() const { return cluster_port_; }

  /// What is told of everything that happens here; null, as at first, for nobody. It must outlive the CTA.
  void set_watch(Watch* watch) { watch_ = watch; }
  [[nodiscard]] Watch* watch() const { return watch_; }

  /// How a warp comes to a named barrier. `threads`: how many are to come; 0 for all of the CTA.
  struct Arrival {
    std::uint8_t barrier = 0;
    std::uint32_t threads = 0;
    bool waits = true;           ///< BAR.SYNC and BAR.RED; BAR.ARV goes on
    LaneMask voters = 0;         ///< BAR.RED: lanes whose predicate is true
    std::uint8_t reduction = 0;  ///< BAR.RED: 0 POPC, 1 AND, 2 OR
  };
  /// The path that runs in `warp` arrives with its lanes. The barrier opens when all have come.
  void arrive(Warp& warp, const Arrival& arrival);
  /// Lanes of a warp have exited: barriers for all threads may be complete now.
  void lanes_exited();

  /// Threads that have not exited.
  [[nodiscard]] std::uint32_t live_threads() const;

 private:
  struct NamedBarrier {
    std::uint32_t expected = 0;  ///< 0: all threads that live
    std::uint32_t arrived = 0;   ///< threads, a whole warp as 32
    std::uint32_t lanes = 0;     ///< the same, by lanes
    std::uint32_t true_count = 0;
    std::uint8_t reduction = 0;
  };
  void open_if_complete(std::uint8_t barrier);

  const Image& image_;
  CtaPlace place_;
  std::uint32_t rank_ = 0;
  Cluster alone_;
  Cluster* cluster_ = &alone_;
  ClusterPort* cluster_port_ = nullptr;
  Watch* watch_ = nullptr;
  std::vector<std::byte> shared_;
  std::array<NamedBarrier, kNamedBarriers> barriers_;
  std::vector<Warp> warps_;
};

}  // namespace gpusim::exec
