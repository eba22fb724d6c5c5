// SPDX-License-Identifier: MIT
// Groups of asynchronous copies, by warp: copies join the warp's open group, a commit closes it, and the group ends
// when all copies of it and of all earlier groups have arrived. Owns the groups of one kind: LDGSTS, or the reads or
// the writes of bulk stores.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/machine/sm/event/completion.h"

namespace gpusim::sm {

class CopyGroups {
 public:
  CopyGroups(std::uint32_t warp_slots, SmEvents& events) : events_(events), warps_(warp_slots) {}

  /// A new warp lives in the slot.
  void begin_warp(std::uint16_t warp) { warps_[warp] = {}; }
  /// A copy joins the warp's open group. Returns the group's number.
  [[nodiscard]] std::uint32_t join(std::uint16_t warp);
  /// A copy of the group, by instruction `pc`, has arrived at `at`.
  void arrived(std::uint16_t warp, std::uint32_t group, std::uint32_t pc, Cycle at);
  /// Closes the open group: `completion` follows when it has ended.
  void commit(const Completion& completion, Cycle now);
  /// The same, and instead of a completion a kMbarrierSignal follows, of this number.
  void commit_signal(std::uint16_t warp, std::uint32_t signal, Cycle now);

 private:
  static constexpr std::uint32_t kNoSignal = 0xffffffffU;
  struct Group {
    std::uint32_t signal = kNoSignal;
    std::uint32_t copies = 0;  ///< outstanding
    bool committed = false;
    Cycle written = 0;            ///< when the last copy so far is in shared memory
    std::uint32_t last_copy = 0;  ///< index of the instruction that it belongs to
    Completion completion;
  };
  struct WarpGroups {
    std::vector<Group> groups;  ///< oldest first; an uncommitted one can only be the last
    std::uint32_t first = 0;    ///< number of groups.front()
    Cycle released = 0;         ///< when the last group ended: later ones may not end before
  };

  static Group& open_group(WarpGroups& warp);
  void retire(WarpGroups& warp, Cycle at);

  SmEvents& events_;
  std::vector<WarpGroups> warps_;  ///< by warp slot
};

}  // namespace gpusim::sm
