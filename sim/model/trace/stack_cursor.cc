// SPDX-License-Identifier: MIT
#include "sim/model/trace/stack_cursor.h"

#include <algorithm>

namespace gpusim::trace {

template class FlowCursor<StackCursor>;

bool StackCursor::resume() {
  while (stack_.exists() && !stack_->waiting.empty()) {
    const LaneStack::Waiting next = stack_->waiting.back();
    stack_->waiting.pop_back();
    if (next.has_loops) {
      const auto count = static_cast<std::ptrdiff_t>(loop_values());
      std::copy(stack_->saved_loops.end() - count, stack_->saved_loops.end(), loops());
      stack_->saved_loops.resize(stack_->saved_loops.size() - static_cast<std::size_t>(count));
    }
    active_ = next.lanes & live_;
    if (active_ != 0) {
      pc_ = next.pc;
      join_ = next.join;
      return true;
    }
  }
  active_ = 0;
  pc_ = join_ = kNone;
  return false;
}

void StackCursor::wait(LaneStack::Waiting who) {
  // Lanes that are already where all meet only wait for the others, in the entry below.
  if (who.pc == who.join) {
    return;
  }
  who.has_loops = program_->levels != 0;
  if (who.has_loops) {
    stack_->saved_loops.insert(stack_->saved_loops.end(), loops(), loops() + loop_values());
  }
  stack_->waiting.push_back(who);
}

void StackCursor::diverge(const FlowOp& op, LaneMask taken) {
  // Lanes that meet where the lanes around them meet need no entry of their own.
  if (op.join != join_) {
    stack_->waiting.push_back({op.join, join_, active_, false});
  }
  wait({op.target, op.join, taken, false});
  active_ &= ~taken;
  join_ = op.join;
  ++pc_;
}

}  // namespace gpusim::trace
