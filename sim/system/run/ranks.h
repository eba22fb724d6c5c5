// SPDX-License-Identifier: MIT
// Collectives: the k-th of each rank of a group belong together. None moves on before all of them have begun it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <tuple>
#include <vector>

#include "sim/system/collective/model.h"
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

  /// The next collective of a thread in its group: which of all it is. Throws InputError when another rank has
  /// something else there, and for groups that do not make up all ranks.
  Index join(Index thread, const application::Call& call);
  /// What a rank's kernel takes of its GPU until all are done: an SM a channel.
  [[nodiscard]] const KernelCost& cost(Index meeting, Index gpu) const { return meetings_[meeting].costs[gpu]; }
  [[nodiscard]] collective::Algorithm algorithm(Index meeting) const { return meetings_[meeting].algorithm; }
  /// Notes that a rank's kernel has begun; when they all end, where it is the last. Collectives of a GPU use its links
  /// one after the other.
  [[nodiscard]] std::optional<double> begin(Index meeting, Index op, double now);
  /// The kernels of a collective.
  [[nodiscard]] const std::vector<Index>& ops(Index meeting) const { return meetings_[meeting].begun; }
  /// A call of a collective that a rank has begun and another has not; null: none.
  [[nodiscard]] const application::Call* incomplete() const;
  /// Ranks that have not begun a collective that others have.
  [[nodiscard]] std::vector<Index> missing() const;

 private:
  /// Ranks that have collectives together.
  struct Group {
    std::vector<std::uint32_t> ranks;  ///< positions in Binding::ranks()
    collective::Model model;
    system::Uses ring;              ///< what a byte uses that each rank sends to the next
    std::vector<Index> meetings;    ///< in order
    std::map<Index, Index> joined;  ///< by GPU: collectives so far
  };
  /// How many ranks a group has, how far they are apart, the first, and the stream of its communicator.
  using GroupKey = std::tuple<std::size_t, std::uint32_t, std::uint32_t, Index>;

  struct Meeting {
    const application::Call* call = nullptr;
    Index first_thread = 0;
    double ns = 0;
    double wire_bytes = 0;  ///< that each rank sends
    collective::Algorithm algorithm = collective::Algorithm::kRing;
    std::vector<KernelCost> costs;  ///< by GPU
    std::vector<Index> begun;       ///< ops
    const Group* group = nullptr;
  };
  [[nodiscard]] Group& group_of(Index thread, const application::Call& call);
  [[nodiscard]] Meeting make(Index thread, const application::Call& call, const Group& group) const;
  [[nodiscard]] Index gpu_of(std::uint32_t rank) const { return binding_.gpu_of(binding_.ranks()[rank]); }
  void note_links(const Meeting& meeting, double end);

  const Binding& binding_;
  std::vector<double> dram_;
  LinkUse& links_;
  std::map<GroupKey, Group> groups_;
  std::vector<double> links_free_;  ///< by GPU: when its last collective ends
  std::deque<Meeting> meetings_;
};

}  // namespace gpusim::run
