// SPDX-License-Identifier: MIT
// What CTAs do to the shared memory of the other CTAs of their cluster while SMs run side by side: kept by SM, and done
// when all of them are exchanged.
#pragma once

#include <cstdint>
#include <mutex>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "sim/base/types.h"
#include "sim/exec/core/cluster_port.h"
#include "sim/exec/core/cta.h"

namespace gpusim::exec {

/// What the CTAs of one SM have done to others since the last exchange.
class ClusterWindow {
 public:
  struct Kept {
    std::uint64_t cta;  ///< linear number of the other one
    ClusterPort::Action action;
    Cycle at = 0;
  };
  void keep(std::uint64_t cta, ClusterPort::Action action) { kept_.push_back({cta, std::move(action)}); }
  /// What has been kept since the last call happened at `now`.
  void stamp(Cycle now) {
    for (; stamped_ < kept_.size(); ++stamped_) {
      kept_[stamped_].at = now;
    }
  }
  [[nodiscard]] std::vector<Kept> take() {
    stamped_ = 0;
    return std::exchange(kept_, {});
  }

 private:
  std::vector<Kept> kept_;
  std::size_t stamped_ = 0;
};

/// CTAs that run, by linear number. SMs may begin and end CTAs on different threads.
class RunningCtas {
 public:
  void add(std::uint64_t number, Cta& cta);
  void remove(std::uint64_t number);
  /// Does what was kept, in the order of time, then of SMs. What is meant for a CTA that does not run is left out: the
  /// machine finds that when the message gets there.
  void exchange(std::span<ClusterWindow> windows);

 private:
  std::mutex mutex_;
  std::unordered_map<std::uint64_t, Cta*> ctas_;
};

/// A CTA's place in its cluster while it runs.
class ClusterSeat final : public ClusterPort {
 public:
  struct Place {
    std::uint64_t cta;  ///< linear number
    Dim3 grid;
    Dim3 cluster;
  };
  /// All must outlive it.
  ClusterSeat(Cta& cta, const Place& place, RunningCtas& running, ClusterWindow& window);
  ~ClusterSeat() override { running_.remove(place_.cta); }
  ClusterSeat(const ClusterSeat&) = delete;
  ClusterSeat& operator=(const ClusterSeat&) = delete;

  void later(std::uint32_t rank, Action action) override;

 private:
  Place place_;
  RunningCtas& running_;
  ClusterWindow& window_;
};

}  // namespace gpusim::exec
