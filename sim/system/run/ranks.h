// SPDX-License-Identifier: MIT
// Collectives: the k-th of each rank belong together. None moves on before all ranks have begun it.
#pragma once

#include <cstddef>
#include <deque>
#include <optional>
#include <vector>

#include "sim/system/run/binding.h"
#include "sim/system/run/cost.h"
#include "sim/system/run/link_use.h"
#include "sim/system/run/timeline.h"

namespace gpusim::run {

class Ranks {
 public:
  /// `dram` has the peak of each GPU in use, bytes a nanosecond.
  /// `links` outlives it.
  Ranks(const Binding& binding, std::vector<double> dram, LinkUse& links);

  /// The next collective of a thread: which of all it is. Throws InputError when another rank has something else there.
  Index join(Index thread, const application::Call& call);
  /// What a rank's kernel takes of its GPU until all are done: an SM a channel.
  [[nodiscard]] const KernelCost& cost(Index meeting, Index gpu) const { return meetings_[meeting].costs[gpu]; }
  /// Notes that a rank's kernel has begun; when they all end, where it is the last. Collectives at a time use the links
  /// one after the other.
  [[nodiscard]] std::optional<double> begin(Index meeting, Index op, double now);
  /// The kernels of a collective.
  [[nodiscard]] const std::vector<Index>& ops(Index meeting) const { return meetings_[meeting].begun; }
  /// Ranks that have begun a collective that others have not.
  [[nodiscard]] std::vector<Index> missing() const;

 private:
  struct Meeting {
    const application::Call* call = nullptr;
    Index first_thread = 0;
    double ns = 0;
    double wire_bytes = 0;          ///< that each rank sends
    std::vector<KernelCost> costs;  ///< by GPU
    std::vector<Index> begun;       ///< ops
  };
  [[nodiscard]] Meeting make(Index thread, const application::Call& call) const;
  void note_links(const Meeting& meeting, double end);

  const Binding& binding_;
  std::vector<double> dram_;
  LinkUse& links_;
  system::Uses ring_;          ///< of a byte that each rank sends to the next
  std::vector<Index> joined_;  ///< by GPU: collectives so far
  double links_free_ = 0;      ///< when the last collective ends
  std::deque<Meeting> meetings_;
};

}  // namespace gpusim::run
