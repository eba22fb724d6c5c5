// SPDX-License-Identifier: MIT
// Divergence as a stack of lanes that wait (the SIMT stack): lanes that part meet at the immediate post-dominator, and
// nobody runs beyond it before all are there.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/base/on_demand.h"
#include "sim/model/trace/flow_cursor.h"

namespace gpusim::trace {

struct LaneStack {
  /// Lanes that wait for their turn at `pc`; they wait for each other again at `join`.
  struct Waiting {
    std::uint32_t pc = 0;
    std::uint32_t join = kNone;
    LaneMask lanes = 0;
    bool has_loops = false;  ///< their iterations lie on top of saved_loops
  };
  std::vector<std::int64_t> saved_loops;
  std::vector<Waiting> waiting;
};

class StackCursor : public FlowCursor<StackCursor> {
 public:
  /// `program` must outlive the cursor.
  /// `answers`: what says whether a poll succeeded.
  StackCursor(const Program& program, CtaId cta, std::uint32_t warp, PollAnswers answers, std::uint64_t most_walked)
      : FlowCursor(program, cta, warp, answers, most_walked) {}

 private:
  friend FlowCursor;

  bool resume();
  void diverge(const FlowOp& op, LaneMask taken);
  void exit(LaneMask lanes) { end_lanes(lanes); }
  /// The control-flow graph has said already where lanes meet.
  void converge(const FlowOp& /*op*/, LaneMask /*lanes*/) { ++pc_; }
  void poll_failed() {}
  void wait(LaneStack::Waiting who);

  OnDemand<LaneStack> stack_;  ///< from the first divergence on
};

extern template class FlowCursor<StackCursor>;

}  // namespace gpusim::trace
