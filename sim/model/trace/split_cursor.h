// SPDX-License-Identifier: MIT
// Divergence as since Volta (independent thread scheduling): the lanes of a warp that are together are a split. One
// runs at a time, until it has to wait for others, yields or ends; then the one that began to wait last takes its turn.
// Splits become one again where they meet: at a convergence barrier (BSSY, BSYNC), at a WARPSYNC, or, where the trace
// has put no barrier, at the immediate post-dominator, for which a compiler would have put one.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/base/on_demand.h"
#include "sim/model/trace/flow_cursor.h"

namespace gpusim::trace {

struct PartedLanes {
  /// Lanes that wait for each other.
  struct Meeting {
    enum class Kind : std::uint8_t { kJoin, kRegister, kLanes } kind = Kind::kJoin;
    std::uint8_t barrier = 0;      ///< kRegister
    LaneMask participants = 0;     ///< without those that have exited or left; 0: the entry is free
    LaneMask arrived = 0;          ///< those of the lanes that have arrived
    LaneMask named = 0;            ///< kLanes: by the instruction
    std::uint32_t at = 0;          ///< kJoin: operation where they meet; else the one that said so
    std::uint32_t around = kNone;  ///< kJoin: the one around it
  };
  /// Lanes that do not run now.
  struct Split {
    std::uint32_t pc = 0;         ///< where they go on
    std::uint32_t inner = kNone;  ///< the innermost of their joins
    LaneMask lanes = 0;
    std::uint32_t waits_at = kNone;  ///< a meeting; kNone: for their turn
  };
  std::vector<Split> splits;            ///< those whose turn comes first last
  std::vector<std::int64_t> all_loops;  ///< iterations and trips of each split, parallel to splits
  std::vector<Meeting> meetings;
  std::uint32_t inner = kNone;  ///< the innermost join of the split that runs
  LaneMask covered = 0;         ///< lanes that take part in a convergence barrier
};

class SplitCursor : public FlowCursor<SplitCursor> {
 public:
  /// As StackCursor's.
  SplitCursor(const Program& program, CtaId cta, std::uint32_t warp, PollAnswers answers, std::uint64_t most_walked)
      : FlowCursor(program, cta, warp, answers, most_walked) {}

 private:
  friend FlowCursor;
  using Meeting = PartedLanes::Meeting;
  using Split = PartedLanes::Split;

  /// Throws CannotFinishError when every split waits for another.
  bool resume();
  void diverge(const FlowOp& op, LaneMask taken);
  void exit(LaneMask lanes);
  void converge(const FlowOp& op, LaneMask lanes);
  void poll_failed() { yield(); }

  void begin_barrier(std::uint8_t barrier, LaneMask lanes);
  void wait_at_barrier(std::uint8_t barrier, LaneMask lanes);
  void leave_barrier(std::uint8_t barrier, LaneMask lanes);
  void meet_lanes(LaneMask named, LaneMask lanes);
  void yield();

  std::uint32_t add(const Meeting& meeting);
  void arrive(std::uint32_t meeting, LaneMask lanes);
  void leave(std::uint32_t meeting, LaneMask lanes);
  void open(std::uint32_t meeting);
  void unite(LaneMask released);
  [[nodiscard]] bool absorbs(std::size_t split) const;
  [[nodiscard]] bool are_alike(std::size_t one, std::size_t other) const;
  [[nodiscard]] bool same_iterations(const std::int64_t* one, const std::int64_t* other, std::uint32_t pc) const;
  [[nodiscard]] std::int64_t* loops_of(std::size_t split) { return parted_->all_loops.data() + split * loop_values(); }
  [[nodiscard]] const std::int64_t* loops_of(std::size_t split) const {
    return parted_->all_loops.data() + split * loop_values();
  }
  /// The running split's `lanes` stop running; they stand at `pc`, in front of split number `place`.
  void set_aside(const Split& split, std::size_t place);
  void erase(std::size_t split);
  void look_for_join() { join_ = parted_->inner == kNone ? kNone : parted_->meetings[parted_->inner].at; }
  void count_covered();
  [[nodiscard]] std::string describe(const Split& split) const;
  [[noreturn]] void fail_stuck() const;

  OnDemand<PartedLanes> parted_;  ///< from the first divergence or convergence barrier on
};

extern template class FlowCursor<SplitCursor>;

}  // namespace gpusim::trace
