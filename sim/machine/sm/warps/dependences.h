// SPDX-License-Identifier: MIT
// What a warp's next instruction waits for because of instructions before it: the dependence counters of its control
// bits (SB0-5), or, as a what-if, a scoreboard of registers. A counter increment is not yet visible to an instruction
// that issues in the very next cycle. Owns the scoreboard; the counters are in Warp.
#pragma once

#include <cstdint>
#include <optional>

#include "sim/base/types.h"
#include "sim/machine/sm/event/sm_event.h"
#include "sim/machine/sm/warps/scoreboard.h"
#include "sim/machine/sm/warps/sub_cores.h"
#include "sim/machine/sm/warps/warp_table.h"

namespace gpusim::lower {
struct KernelImage;
}

namespace gpusim::sm {

class Dependences {
 public:
  Dependences(const lower::KernelImage& image, WarpTable& warps, SubCores& cores, SmEvents& events);

  /// Set where registers and not control bits are waited for.
  [[nodiscard]] const std::optional<Scoreboard>& scoreboard() const { return scoreboard_; }

  void begin_warp(std::uint32_t warp_slot);
  /// The warp's next instruction issues at `now`: what it writes is pending, where a scoreboard keeps that.
  void issue(const Warp& warp, Cycle now) {
    if (scoreboard_) {
      scoreboard_->issue(warps_.slot_of(warp), warp.op->pc, now);
    }
  }
  /// The instruction that issues counts up a dependence counter.
  static void increment(Warp& warp, std::uint8_t counter, lower::ProducerClass producer) {
    DependenceCounter& counted = warp.counters.edit()[counter];
    ++counted.outstanding;
    warp.invisible_increments.edit() += 1U << Warp::kInvisibleBits * counter;
    if (producer == lower::ProducerClass::kLong) {
      ++counted.outstanding_long;
    }
  }

  /// From now on the next instruction sees all increments.
  static void see_increments(Warp& warp) { warp.invisible_increments = 0; }

  /// With a scoreboard: the warp waits for the registers of its next instruction. Returns when those are there whose
  /// time is known; 0 when nothing is pending.
  [[nodiscard]] Cycle begin_register_wait(Warp& warp) { return scoreboard_ ? begin_wait_for_registers(warp) : 0; }
  /// Whether the counters let the next instruction issue.
  [[nodiscard]] static bool counters_clear(const Warp& warp) {
    const lower::WarpOp& op = *warp.op;
    return ((op.wait_mask | op.increments) == 0 && !op.waits_on_counter_limit) || asked_counters_clear(warp);
  }
  /// Whether the next instruction waits for an increment that it would not see in the next cycle.
  [[nodiscard]] static bool waits_for_invisible(const Warp& warp);
  /// Whether it waits for a result from L1TEX, or for an answer of another warp.
  [[nodiscard]] bool waits_long(const Warp& warp) const;

  /// kCounterRelease: an operation of the warp is done. False when its result still waits for a register port; the
  /// event comes again.
  [[nodiscard]] bool release_counter(Warp& warp, const SmEvent& event, Cycle now);
  /// The same for an operation without a counter: the registers that instruction `pc` (an index) writes are there.
  void release_registers(Warp& warp, std::uint32_t pc, Cycle now);

 private:
  [[nodiscard]] Cycle begin_wait_for_registers(Warp& warp);
  [[nodiscard]] static bool asked_counters_clear(const Warp& warp);
  [[nodiscard]] bool are_met(const Warp& warp) const;
  static void note_limit(Warp& warp, const OperationEnd& end, Cycle now);

  WarpTable& warps_;
  SubCores& cores_;
  SmEvents& events_;
  std::optional<Scoreboard> scoreboard_;
};

}  // namespace gpusim::sm
