// SPDX-License-Identifier: MIT
// What a warp's walk evaluates on its way: conditions, loops, addresses, operands. Which lanes are where is the
// business of the cursors built on it.
#pragma once

#include <algorithm>
#include <array>
#include <cassert>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "sim/model/trace/program.h"

namespace gpusim::trace {

class ProgramSources {
 public:
  LaneAddresses addresses(AccessSlot slot);
  std::uint32_t target_rank();
  [[nodiscard]] AsyncOperands async_operands();

  /// The next step where it is one of the most common kind: an instruction that all lanes on the path execute. False
  /// when it is of another kind; then nothing is done.
  bool next_plain(Step& step) {
    if (pc_ == join_ || program_->ops[pc_].kind != FlowKind::kPlain) {
      return false;
    }
    at_ = pc_;
    mask_ = active_;
    step = {program_->ops[pc_++].instr, active_, active_};
    return true;
  }

  /// For how many steps, at least, next_plain() holds: those of instructions that follow each other in the code.
  [[nodiscard]] std::uint32_t plain_ahead() const {
    if (pc_ == join_) {
      return 0;
    }
    const std::uint32_t run = program_->ops[pc_].plain_run;
    return join_ > pc_ ? std::min(run, join_ - pc_) : run;
  }
  /// So many steps by next_plain() at once, one at least and at most plain_ahead(); the last of them is `step`.
  void pass_plain(std::uint32_t steps, Step& step) {
    pc_ += steps - 1;
    const bool is_plain = next_plain(step);
    assert(is_plain);
    static_cast<void>(is_plain);
  }

  /// Goes on over instructions that next_plain() would give, to the next operation that is none or that `stops` names:
  /// the first of interest from each operation on. Returns how many it passed over.
  std::uint32_t skip_plain(std::span<const std::uint32_t> stops) {
    const std::uint32_t begin = pc_;
    if (pc_ != join_) {
      pc_ = join_ > pc_ ? std::min(join_, stops[pc_]) : stops[pc_];
    }
    return pc_ - begin;
  }

 protected:
  ProgramSources(const Program& program, CtaId cta, std::uint32_t warp, PollAnswers answers, std::uint64_t most_walked);

  [[nodiscard]] std::int64_t* variables() { return deep_ ? deep_.get() : inline_.data(); }
  [[nodiscard]] const std::int64_t* variables() const { return deep_ ? deep_.get() : inline_.data(); }
  /// Iterations and trips of the loops, two a level.
  [[nodiscard]] std::int64_t* loops() { return variables() + kVarLoops; }
  [[nodiscard]] std::size_t loop_values() const { return std::size_t{2} * program_->levels; }
  void begin_loop(const Loop& loop);
  [[nodiscard]] LaneMask loop_taken(const FlowOp& op);
  [[nodiscard]] LaneMask condition_lanes(std::uint32_t index);
  /// A jump back from operation `from` to `to` is taken. Throws CannotFinishError when the warp has walked too much.
  void count_jump_back(std::uint32_t from, std::uint32_t to) {
    walked_ += from - to + 1;
    if (walked_ > most_walked_) [[unlikely]] {
      fail_endless(from);
    }
  }
  /// "in CTA (0,0,0), warp 1"
  [[nodiscard]] std::string warp_place() const;

 private:
  static constexpr std::uint32_t kInlineLevels = 4;

  [[nodiscard]] VmContext context() const { return {program_->code.data(), &program_->tables, variables()}; }
  [[nodiscard]] LaneMask lanes_with_more_trips(const Loop& loop, std::int64_t than);
  [[nodiscard]] LaneMask evaluate_lanes(const Condition& condition);
  /// Values of an expression whose lane part is tabled: base + patterns[pattern].offsets[lane], modulo 2^64.
  struct TabledLanes {
    std::int64_t base = 0;
    std::uint32_t pattern = 0;
  };
  [[nodiscard]] TabledLanes tabled_lanes(const LaneExpression& expression);
  [[nodiscard]] LaneMask compare_lanes(const Condition& condition);
  [[nodiscard]] std::int64_t uniform_value(const Affine& affine);
  [[nodiscard]] std::int64_t value_of_codes(const Affine& affine);
  void lane_values(const LaneExpression& expression, LaneMask lanes);
  LaneAddresses checked(const AccessSource& source, const LaneAddresses& addresses);
  [[nodiscard]] std::uint32_t barrier_of(const AsyncSource& source);
  [[nodiscard]] std::uint16_t ranks_of(const AsyncSource& source);
  void check_counts(const AsyncSource& source, std::int64_t count, std::int64_t bytes) const;
  [[nodiscard]] Address checked_bytes(const AsyncSource& source, std::uint32_t buffer, std::int64_t address,
                                      std::uint64_t bytes) const;
  [[noreturn]] void fail_async(const AsyncSource& source, const std::string& message, const std::string& hint) const;
  [[noreturn]] void fail(const Fault& fault, std::uint32_t lane) const;
  [[noreturn]] void fail_endless(std::uint32_t from) const;
  [[noreturn]] void fail_rank(const RankSource& source, std::int64_t rank) const;
  [[noreturn]] void fail_access(const AccessSource& source, std::uint32_t lane, std::int64_t address) const;
  [[nodiscard]] std::string place(std::uint32_t lane) const;
  [[nodiscard]] std::uint32_t any_lane() const;

  // What every step needs comes last, where the owner's own state of the warp begins: thousands of warps take turns,
  // and each line of the host's cache that a step touches is a wait.
  std::array<std::int64_t, kVarLoops + 2 * kInlineLevels> inline_{};
  std::uint64_t walked_ = 0;  ///< operations, in loops
  std::uint64_t most_walked_;
  std::unique_ptr<std::int64_t[]> deep_;  ///< the variables, when loops nest deeper than the inline ones reach

 protected:
  const Program* program_;
  CtaId cta_;
  std::uint32_t warp_;
  bool waits_for_machine_;
  LaneMask active_;
  LaneMask live_;
  LaneMask mask_ = 0;  ///< lanes of the step that next() gave last
  std::uint32_t pc_ = 0;
  std::uint32_t join_ =
      kNone;              ///< operation at which the lanes stop to meet others; pc_ is the same once they are there
  std::uint32_t at_ = 0;  ///< operation that next() gave last
};

}  // namespace gpusim::trace
