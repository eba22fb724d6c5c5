// SPDX-License-Identifier: MIT
// One warp's walk through a Program: a program counter, the lanes on it, the loops' iterations, and a stack of lanes
// that wait (the SIMT stack).
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "sim/trace/program.h"

namespace gpusim::trace {

class ProgramCursor {
 public:
  /// `program` must outlive the cursor.
  /// `answers`: who says whether a poll succeeded.
  ProgramCursor(const Program& program, CtaId cta, std::uint32_t warp, LiveAnswers answers);
  bool next(Step& step);
  /// The live instruction that next() gave last is decided: the poll that wrote its guard was answered `answer`.
  void resolve(bool answer, Step& step);
  LaneAddresses addresses(AccessSlot slot);
  std::uint32_t target_rank();
  [[nodiscard]] AsyncOperands async_operands();

 private:
  static constexpr std::uint32_t kInlineLevels = 4;

  /// Lanes that wait for their turn at `pc`; they wait for each other again at `join`.
  struct Waiting {
    std::uint32_t pc = 0;
    std::uint32_t join = kNone;
    LaneMask lanes = 0;
    bool has_loops = false;  ///< their iterations lie on top of saved_loops_
  };

  [[nodiscard]] std::int64_t* variables() { return deep_.empty() ? inline_.data() : deep_.data(); }
  [[nodiscard]] const std::int64_t* variables() const { return deep_.empty() ? inline_.data() : deep_.data(); }
  [[nodiscard]] VmContext context() const { return {program_->code.data(), &program_->tables, variables()}; }
  bool resume();
  void act(FlowKind kind, const FlowOp& op);
  void branch(const FlowOp& op, LaneMask taken);
  void diverge(const FlowOp& op, LaneMask taken);
  void wait(Waiting waiting);
  void end_lanes(LaneMask lanes);
  void begin_loop(const Loop& loop);
  [[nodiscard]] LaneMask loop_taken(const FlowOp& op);
  [[nodiscard]] LaneMask lanes_with_more_trips(const Loop& loop, std::int64_t than);
  [[nodiscard]] LaneMask condition_lanes(std::uint32_t index);
  [[nodiscard]] LaneMask evaluate_lanes(const Condition& condition);
  [[nodiscard]] std::int64_t uniform_value(const Affine& affine);
  void lane_values(const LaneExpression& expression, LaneMask lanes);
  LaneAddresses checked(const AccessSource& source, const LaneAddresses& addresses);
  [[nodiscard]] std::uint32_t barrier_of(const AsyncSource& source);
  [[nodiscard]] std::uint16_t ranks_of(const AsyncSource& source);
  void check_counts(const AsyncSource& source, std::int64_t count, std::int64_t bytes) const;
  [[nodiscard]] Address checked_bytes(const AsyncSource& source, std::uint32_t buffer, std::int64_t address,
                                      std::uint64_t bytes) const;
  [[noreturn]] void fail_async(const AsyncSource& source, const std::string& message, const std::string& hint) const;
  [[noreturn]] void fail(const Fault& fault, std::uint32_t lane) const;
  [[noreturn]] void fail_rank(const RankSource& source, std::int64_t rank) const;
  [[noreturn]] void fail_access(const AccessSource& source, std::uint32_t lane, std::int64_t address) const;
  [[nodiscard]] std::string place(std::uint32_t lane) const;
  [[nodiscard]] std::uint32_t any_lane() const;

  // What every step needs comes last, where the owner's own state of the warp begins: thousands of warps take turns,
  // and each line of the host's cache that a step touches is a wait.
  std::vector<std::int64_t> saved_loops_;
  std::vector<Waiting> stack_;
  std::array<std::int64_t, kVarLoops + 2 * kInlineLevels> inline_{};
  std::vector<std::int64_t> deep_;  ///< the variables, when loops nest deeper than the inline ones reach
  const Program* program_;
  CtaId cta_;
  std::uint32_t warp_;
  bool waits_for_machine_;
  LaneMask active_;
  LaneMask live_;
  LaneMask mask_ = 0;  ///< of the step that next() gave last
  std::uint32_t pc_ = 0;
  std::uint32_t join_ = kNone;
  std::uint32_t at_ = 0;  ///< operation that next() gave last
};

}  // namespace gpusim::trace
