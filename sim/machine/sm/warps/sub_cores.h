// SPDX-License-Identifier: MIT
// The sub-cores of an SM, and when each of them has to be looked at. A sub-core in which nothing can have changed is
// not visited. Owns the sub-cores, and the cycle in which each of them is looked at next.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cstdint>
#include <vector>

#include "sim/base/types.h"
#include "sim/machine/sm/warps/sub_core.h"
#include "sim/machine/sm/warps/warp.h"
#include "sim/model/arch/sm_config.h"

namespace gpusim::sm {

class SubCores {
 public:
  explicit SubCores(const arch::SmConfig& config)
      : count_(config.sub_cores),
        cores_(config.sub_cores,
               SubCore(policy::WarpScheduler(config.scheduler.policy, {config.scheduler.active_warps}),
                       config.register_file)) {
    looks_.fill(kNever);
    assert(config.sub_cores <= arch::kMostSubCores);
  }

  [[nodiscard]] std::uint32_t size() const { return count_; }
  [[nodiscard]] SubCore& operator[](std::uint32_t index) { return cores_[index]; }
  [[nodiscard]] const SubCore& operator[](std::uint32_t index) const { return cores_[index]; }
  [[nodiscard]] SubCore& of(const Warp& warp) { return cores_[warp.sub_core]; }
  [[nodiscard]] const SubCore& of(const Warp& warp) const { return cores_[warp.sub_core]; }

  // When to look
  // -------------------------------------------------------------------------------------------------------

  /// Something has changed at `now`, before the sub-cores have their turn in that cycle.
  void look_now(std::uint32_t index, Cycle now) {
    looks_[index] = now;
    next_look_ = std::min(next_look_, now);
  }
  /// The first cycle in which one of them has to be looked at.
  [[nodiscard]] Cycle next_look() const { return next_look_; }
  /// Gives those that have to be looked at now their turn, in order: `take_turn(index)` returns when to look again.
  template <class TakeTurn>
  void look(Cycle now, TakeTurn&& take_turn) {
    next_look_ = kNever;  // a turn may make others look again
    Cycle next = kNever;
    for (std::uint32_t i = 0; i < count_; ++i) {
      if (looks_[i] == now) {
        looks_[i] = take_turn(i);
      }
      next = std::min(next, looks_[i]);
    }
    next_look_ = std::min(next, next_look_);
  }

  // What warps wait for
  // -------------------------------------------------------------------------------------------------

  /// A warp that waits for nothing yet comes to its slot; `age` counts the warps before it.
  void begin_warp(Warp& warp, std::uint64_t age) {
    warp.waits.end(warp.waits);
    of(warp).set_age(warp.slot, age);
    of(warp).registers().forget(warp.slot);
  }
  /// One more state for which the warp's next instruction may not issue.
  void block(Warp& warp, StallMask states) {
    warp.waits.add(states);
    of(warp).block(warp.slot);
  }
  /// The states hold no longer; without any the warp is ready, unless it sleeps.
  void end_wait(Warp& warp, StallMask states, Cycle now) {
    assert((warp.waits & states) != 0);
    warp.waits.end(states);
    if (warp.waits == 0) {
      of(warp).unblock(warp.slot);
      look_now(warp.sub_core, now);
    }
  }
  /// The same of one state, for the ledger: by an operation of instruction `producer` (an index), if by any.
  void end_stall(Warp& warp, Stall state, Cycle now, std::uint32_t producer = lower::kNoProducer) {
    warp.stalls.note_end(state, now, producer);
    end_wait(warp, mask_of(state), now);
  }
  /// The queues of the sub-cores in the mask have room.
  void open_queues(std::uint32_t sub_cores, Cycle now) {
    for (; sub_cores != 0; sub_cores &= sub_cores - 1) {
      const auto i = static_cast<std::uint32_t>(std::countr_zero(sub_cores));
      if (cores_[i].pipes().is_kept_closed(isa::Pipe::kLsu)) {
        cores_[i].pipes().open(isa::Pipe::kLsu, now);
        look_now(i, now);
      }
    }
  }

  [[nodiscard]] auto begin() const { return cores_.begin(); }
  [[nodiscard]] auto end() const { return cores_.end(); }

 private:
  std::uint32_t count_;  ///< size of cores_, which would divide to find it
  std::vector<SubCore> cores_;
  std::array<Cycle, arch::kMostSubCores> looks_;  ///< by sub-core
  Cycle next_look_ = kNever;                      ///< the first of them
};

}  // namespace gpusim::sm
