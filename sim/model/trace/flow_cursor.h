// SPDX-License-Identifier: MIT
// One warp's walk through a Program: a program counter, the lanes on it, the loops' iterations. What happens to lanes
// that part, and when they meet, is up to `Lanes`, the class that derives from this one.
#pragma once

#include "sim/model/trace/program_sources.h"

namespace gpusim::trace {

template <class Lanes>
class FlowCursor : public ProgramSources {
 public:
  bool next(Step& step);
  /// The run-time predicate of what next() gave last is known: the poll that wrote it was answered `answer`.
  void resolve(bool answer, Step& step);

 protected:
  using ProgramSources::ProgramSources;

  /// `taken` of the lanes go to the target of `op`, the rest on.
  void branch(const FlowOp& op, LaneMask taken);
  /// The lanes exit. True when no lane of the current path is left.
  bool end_lanes(LaneMask lanes);

 private:
  [[nodiscard]] Lanes& self() { return static_cast<Lanes&>(*this); }
  void act(FlowKind kind, const FlowOp& op);
};

template <class Lanes>
bool FlowCursor<Lanes>::next(Step& step) {
  for (;;) {
    if (pc_ == join_) [[unlikely]] {
      if (!self().resume()) {
        return false;
      }
      continue;
    }
    const FlowOp& op = program_->ops[pc_];
    at_ = pc_;
    step.pc = op.instr;
    step.active = active_;
    mask_ = active_;
    switch (op.kind) {
      case FlowKind::kPlain: ++pc_; break;
      case FlowKind::kGuarded:
        mask_ &= condition_lanes(op.condition);
        ++pc_;
        break;
      case FlowKind::kBranch:
        if (op.condition != kNone) {
          mask_ &= condition_lanes(op.condition);
        }
        branch(op, mask_);
        break;
      case FlowKind::kExit:
        if (op.condition != kNone) {
          mask_ &= condition_lanes(op.condition);
        }
        self().exit(mask_);
        break;
      case FlowKind::kConverge:
        if (op.condition != kNone) {
          mask_ &= condition_lanes(op.condition);
        }
        self().converge(op, mask_);
        break;
      case FlowKind::kLoopBegin:
        begin_loop(program_->loops[op.loop]);
        ++pc_;
        continue;
      case FlowKind::kLoopGuard:
      case FlowKind::kLoopEnd:
        mask_ &= loop_taken(op);
        branch(op, mask_);
        break;
      case FlowKind::kRuntime:
        if (!waits_for_machine_) {
          act(op.runtime_kind, op);
        }
        break;
    }
    step.mask = mask_;
    return true;
  }
}

template <class Lanes>
void FlowCursor<Lanes>::resolve(bool answer, Step& step) {
  const FlowOp& op = program_->ops[at_];
  variables()[kVarRuntimePredicate] = answer ? 1 : 0;
  act(op.runtime_kind, op);
  step.mask = mask_;
  if (!answer) {
    self().poll_failed();
  }
}

/// An instruction of the kind with a run-time predicate, for the lanes whose condition holds now.
template <class Lanes>
void FlowCursor<Lanes>::act(FlowKind kind, const FlowOp& op) {
  mask_ = active_ & condition_lanes(op.condition);
  switch (kind) {
    case FlowKind::kBranch: branch(op, mask_); break;
    case FlowKind::kExit: self().exit(mask_); break;
    case FlowKind::kConverge: self().converge(op, mask_); break;
    default: ++pc_;
  }
}

template <class Lanes>
void FlowCursor<Lanes>::branch(const FlowOp& op, LaneMask taken) {
  if (taken == 0) {
    ++pc_;
    return;
  }
  if (op.target <= pc_) {
    count_jump_back(pc_, op.target);
  }
  if (taken == active_) {
    pc_ = op.target;
  } else {
    self().diverge(op, taken);
  }
}

template <class Lanes>
bool FlowCursor<Lanes>::end_lanes(LaneMask lanes) {
  live_ &= ~lanes;
  active_ &= ~lanes;
  ++pc_;
  if (active_ != 0) {
    return false;
  }
  pc_ = join_ = kNone;
  return true;
}

}  // namespace gpusim::trace
