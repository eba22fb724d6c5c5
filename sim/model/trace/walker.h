// SPDX-License-Identifier: MIT
// Walks one warp through a kernel: which instruction comes next, for which lanes, at which addresses. The only way
// the machine sees a trace; nothing downstream knows where it came from.
#pragma once

#include <cstdint>
#include <span>
#include <variant>

#include "sim/model/trace/behaviour.h"
#include "sim/model/trace/executed.h"
#include "sim/model/trace/kernel.h"
#include "sim/model/trace/recorded.h"
#include "sim/model/trace/split_cursor.h"
#include "sim/model/trace/stack_cursor.h"
#include "sim/model/trace/step.h"

namespace gpusim::trace {

/// One warp's walk. Created when its CTA is placed on an SM; all of a warp's state is in here.
class Walker {
 public:
  Walker() = default;
  /// Starts warp `warp` (0 .. warps_per_cta - 1) of a CTA. `kernel`'s behaviour must outlive the walker.
  Walker(const Kernel& kernel, CtaId cta, std::uint32_t warp, PollAnswers answers = PollAnswers::kAlwaysYes,
         Simt simt = Simt::kStack, std::uint64_t most_walked = kMostWalked) {
    start(kernel, cta, warp, answers, simt, most_walked);
  }
  /// The same for a walker that is there already. Recorded lanes are as they were recorded, whatever `simt` says; of a
  /// kernel that can be executed the walk is that of an untimed run. A program's warp that walks more than
  /// `most_walked` instructions in loops makes next() throw CannotFinishError.
  void start(const Kernel& kernel, CtaId cta, std::uint32_t warp, PollAnswers answers = PollAnswers::kAlwaysYes,
             Simt simt = Simt::kStack, std::uint64_t most_walked = kMostWalked) {
    const Program* const program = kernel.behaviour->program();
    if (const Executable* const executable = kernel.behaviour->executable(); executable != nullptr) {
      cursor_.emplace<RecordedCursor>(executable->recording(), cta, warp, limits_of(kernel));
    } else if (program == nullptr) {
      cursor_.emplace<RecordedCursor>(*kernel.behaviour->recording(), cta, warp, limits_of(kernel));
    } else if (simt == Simt::kIndependent) {
      cursor_.emplace<SplitCursor>(*program, cta, warp, answers, most_walked);
    } else {
      cursor_.emplace<StackCursor>(*program, cta, warp, answers, most_walked);
    }
  }

  /// Follows a warp that is executed, which must outlive the walk.
  void start(ExecutedWarp& warp) { cursor_.emplace<ExecutedCursor>(warp); }

  /// The next warp instruction; false when every lane has exited. `now`: when the one before issued. Throws InputError
  /// when the trace's behaviour is impossible (an address outside its buffer, a division by zero), naming CTA, warp,
  /// lane and iteration, and CannotFinishError when lanes of the warp wait for each other.
  bool next(Step& step, Cycle now = 0) {
    ProgramSources* const program = sources();
    return (program != nullptr && program->next_plain(step)) || next_of_any_kind(step, now);
  }
  /// Where the kernel's behaviour is a program: what walks the warp through it; else null.
  [[nodiscard]] ProgramSources* sources() {
    if (auto* stack = std::get_if<StackCursor>(&cursor_)) {
      return stack;
    }
    return std::get_if<SplitCursor>(&cursor_);
  }
  /// Where the kernel's behaviour is a program: passes over instructions that are of no interest, up to the one that
  /// `stops` names; returns how many. By operation of the program, `stops` names the first from
  /// there on that is of interest or is not plain.
  std::uint32_t skip(std::span<const std::uint32_t> stops) {
    ProgramSources* const program = sources();
    return program != nullptr ? program->skip_plain(stops) : 0;
  }
  /// Where the machine answers: to be called for an instruction whose guard is a run-time predicate, when it issues,
  /// before the next next(). `step` is what next() gave, and has its mask from then on.
  void resolve(bool answer, Step& step) {
    if (auto* splits = std::get_if<SplitCursor>(&cursor_)) {
      splits->resolve(answer, step);
    } else {
      std::get<StackCursor>(cursor_).resolve(answer, step);
    }
  }
  /// For a kernel that is executed: the machine has answered the poll at `pc`. `step` is what next() gave last, and has
  /// its mask from then on.
  void answer(std::uint32_t pc, bool yes, Step& step) {
    if (auto* executed = std::get_if<ExecutedCursor>(&cursor_)) {
      executed->answer(pc, yes, step);
    }
  }
  /// What the instruction that next() gave last asks of an mbarrier or of the TMA; kNone where the trace does not say.
  /// Throws InputError when it makes no sense (an index beyond the array, a copy beyond its buffer).
  [[nodiscard]] AsyncOperands async_operands() {
    if (auto* executed = std::get_if<ExecutedCursor>(&cursor_)) {
      return executed->async_operands();
    }
    if (const auto* recorded = std::get_if<RecordedCursor>(&cursor_)) {
      return recorded->async_operands();
    }
    ProgramSources* const program = sources();
    return program != nullptr ? program->async_operands() : AsyncOperands{};
  }
  /// Addresses of the instruction that next() gave last, for any of its lanes. Only after a next() that was true.
  LaneAddresses addresses(AccessSlot slot) {
    if (ProgramSources* const program = sources(); program != nullptr) {
      return program->addresses(slot);
    }
    if (auto* executed = std::get_if<ExecutedCursor>(&cursor_)) {
      return executed->addresses(slot);
    }
    return std::get<RecordedCursor>(cursor_).addresses(slot);
  }

  /// Where the addresses lie of an instruction that may reach any space, in a kernel that is executed.
  isa::MemSpace generic_space() { return std::get<ExecutedCursor>(cursor_).space(); }

  /// Rank of the CTA whose shared memory the instruction of space kClusterShared accesses, or whose mbarrier it
  /// signals. Throws as next() does.
  std::uint32_t target_rank() {
    if (auto* executed = std::get_if<ExecutedCursor>(&cursor_)) {
      return executed->target_rank();
    }
    if (const auto* recorded = std::get_if<RecordedCursor>(&cursor_)) {
      return recorded->target_rank();
    }
    ProgramSources* const program = sources();
    return program != nullptr ? program->target_rank() : 0;
  }

  [[nodiscard]] static std::uint32_t pattern_count(const Kernel& kernel) { return kernel.behaviour->pattern_count(); }

 private:
  using Cursor = std::variant<std::monostate, StackCursor, SplitCursor, RecordedCursor, ExecutedCursor>;

  static CommandLimits limits_of(const Kernel& kernel) {
    return {kernel.mbarriers_per_cta(), kernel.ctas_per_cluster()};
  }

  bool next_of_any_kind(Step& step, Cycle now) {
    if (auto* stack = std::get_if<StackCursor>(&cursor_)) {
      return stack->next(step);
    }
    if (auto* splits = std::get_if<SplitCursor>(&cursor_)) {
      return splits->next(step);
    }
    if (auto* executed = std::get_if<ExecutedCursor>(&cursor_)) {
      return executed->next(step, now);
    }
    auto* recorded = std::get_if<RecordedCursor>(&cursor_);
    return recorded != nullptr && recorded->next(step);
  }

  Cursor cursor_;
};

}  // namespace gpusim::trace
