// SPDX-License-Identifier: MIT
// Executes warps, one instruction per call: what a machine with time asks when an instruction issues.
#pragma once

#include "sim/exec/core/context.h"
#include "sim/exec/core/cta.h"
#include "sim/exec/core/warp.h"
#include "sim/exec/core/watch.h"
#include "sim/exec/memory/global_port.h"

namespace gpusim::exec {

enum class StepResult : std::uint8_t {
  kExecuted,
  kWaits,   ///< nothing was done: all lanes that live wait for other warps, or for each other
  kExited,  ///< nothing was done: all lanes have exited
};

class Interpreter {
 public:
  /// Both must outlive it. An interpreter has no state of any warp.
  Interpreter(const Image& image, GlobalPort& global) : context_(image, global) {}

  /// Executes the warp's next instruction. Throws InputError when the kernel does what it may not: the message has the
  /// instruction, its line, the lane, the warp and the CTA.
  StepResult step(Warp& warp) {
    if (!warp.resume()) {
      return warp.has_exited() ? StepResult::kExited : StepResult::kWaits;
    }
    const MicroOp& op = context_.image.code[warp.pc];
    const LaneMask mask = begin(warp, op);
    try {
      op.handler(context_, warp, op, mask);
    } catch (const std::runtime_error&) {
      rethrow(warp);
    }
    return StepResult::kExecuted;
  }

  /// The same, told to `watch`, which also says what becomes of accesses that are not possible.
  StepResult step_watched(Warp& warp, Watch& watch);

  /// What the last step did. `pc`, `active` and `mask` as a trace's Step has them.
  [[nodiscard]] const Executed& executed() const { return context_.executed; }
  /// What it accessed, if its space is not kNone.
  [[nodiscard]] const Access& access() const { return context_.access; }
  /// LDGSTS: where in shared memory it stored.
  [[nodiscard]] const Access& shared_destination() const { return context_.shared_destination; }
  /// What it asked of an mbarrier or of the TMA, if its kind is not kNone.
  [[nodiscard]] const AsyncEffect& async() const { return context_.async; }
  [[nodiscard]] Context& context() { return context_; }

 private:
  /// Returns the lanes for which the warp's next instruction executes.
  LaneMask begin(Warp& warp, const MicroOp& op) {
    Executed& executed = context_.executed;
    executed.pc = warp.pc;
    executed.active = warp.active;
    const LaneMask guard = warp.lanes_of(op.guard);
    executed.mask = warp.active & guard;
    context_.access.space = isa::MemSpace::kNone;
    context_.shared_destination.space = isa::MemSpace::kNone;
    context_.async.kind = AsyncEffect::Kind::kNone;
    ++warp.pc;
    return op.uniform ? guard : executed.mask;
  }
  /// Executes it for those of the lanes whose accesses are possible.
  void execute_possible(Warp& warp, const MicroOp& op, LaneMask mask, Watch& watch);
  /// Adds to a LaneFault where it happened, and throws it as InputError; throws everything else again.
  [[noreturn]] void rethrow(const Warp& warp) const;

  Context context_;
};

/// "lane 3 of warp 1 in CTA (4, 0, 0), thread (35, 0, 0)"
[[nodiscard]] std::string lane_text(const Warp& warp, unsigned lane);
/// Whether the TMA executes it: for the warp once, not for each lane.
[[nodiscard]] bool is_bulk_copy(sass::Op op);

}  // namespace gpusim::exec
