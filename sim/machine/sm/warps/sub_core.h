// SPDX-License-Identifier: MIT
// One of an SM's four issue quarters: which of its warps are ready, which pipes are open, and so which warp may issue
// now. Bit masks and a ring of wake-ups; nothing is scanned and nothing polls. Owns the masks of its warps and their
// wake-ups, its scheduler, its pipe latches with its bubbles (pipe_latches.h), and its registers.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cstdint>
#include <utility>

#include "sim/base/ratio.h"
#include "sim/base/types.h"
#include "sim/machine/lower/warp_op.h"
#include "sim/machine/sm/warps/pipe_latches.h"
#include "sim/machine/sm/warps/register_file.h"
#include "sim/model/isa/timing.h"
#include "sim/model/policy/warp/scheduler.h"

namespace gpusim::sm {

using policy::SlotMask;

class SubCore {
 public:
  static constexpr std::uint32_t kMaxSlots = policy::kMaxSlots;

  explicit SubCore(const policy::WarpScheduler& scheduler,
                   const arch::RegisterFileConfig& registers = {arch::RegisterFileModel::kIdeal, 0})
      : scheduler_(scheduler), registers_(registers) {}

  // Wake-ups
  // -----------------------------------------------------------------------------------------------------------

  /// Horizon of the ring: further wake-ups are the SM's own events.
  static constexpr Cycle kRing = 64;

  /// The warp in `slot` sleeps until `at`, in (now, now + kRing).
  void sleep_until(std::uint32_t slot, Cycle at) {
    asleep_ |= bit(slot);
    wakes_[at % kRing] |= bit(slot);
    tick_at(at);
  }
  /// The next instruction of `slot` could issue in the cycle after `now`. If its pipe is closed then, the warp is ready
  /// from that cycle on and need not be looked at before the pipe opens. Returns whether that is so.
  [[nodiscard]] bool make_ready_if_closed(std::uint32_t slot, isa::Pipe pipe, Cycle now) {
    const bool closed = !pipes_.is_open(pipe, now + 1);
    ready_ |= closed ? bit(slot) : 0;
    return closed;
  }
  /// It sleeps for longer than the ring reaches: until end_sleep().
  void sleep(std::uint32_t slot) { asleep_ |= bit(slot); }
  void end_sleep(std::uint32_t slot) {
    asleep_ &= ~bit(slot);
    make_ready(bit(slot) & ~blocked_);
  }
  /// Something about this sub-core may change at `at`, in (now, now + kRing): look again.
  void tick_at(Cycle at) { ticks_ |= std::uint64_t{1} << (at % kRing); }

  /// Ends the sleep of those that sleep until `now`; returns them.
  SlotMask wake(Cycle now) {
    const SlotMask due = wakes_[now % kRing];
    ticks_ &= ~(std::uint64_t{1} << (now % kRing));
    if (due != 0) {
      wakes_[now % kRing] = 0;
      asleep_ &= ~due;
      make_ready(due & ~blocked_);
    }
    return due;
  }

  /// The next cycle after `now` at which something may change; kNever when nothing is due.
  [[nodiscard]] Cycle next_tick(Cycle now) const {
    if (ticks_ == 0) {
      return kNever;
    }
    const auto shift = static_cast<int>((now + 1) % kRing);
    return now + 1 + static_cast<Cycle>(std::countr_zero(std::rotr(ticks_, shift)));
  }

  // Readiness
  // ----------------------------------------------------------------------------------------------------------

  /// The next instruction of `slot` is `op`.
  void want(std::uint32_t slot, const lower::WarpOp& op) {
    wants_[static_cast<std::size_t>(op.pipe)] |= bit(slot);
    reach_out_ = (reach_out_ & ~bit(slot)) | SlotMask{op.reaches_out} << slot;
    streaks_ = (streaks_ & ~bit(slot)) | SlotMask{op.streak >= lower::kShortestStreak} << slot;
  }
  /// Whether the rest of the SM may hear of what issues in cycle `at`, the next that is looked at. Nothing may happen
  /// to the sub-core before that cycle: of the warps that wake in it, some may be awake then.
  [[nodiscard]] bool may_reach_out(Cycle at) {
    if (early_ != 0) {
      return true;
    }
    const SlotMask due = ready_ | (wakes_[at % kRing] & ~blocked_);
    const bool stays_inside = pipes_.are_open() && scheduler_.stays_on_last(due & ~reach_out_);
    return (due & reach_out_) != 0 && !stays_inside && picks_to_reach_out(at);
  }
  /// Something else than sleep keeps the next instruction of `slot` from issuing.
  void block(std::uint32_t slot) {
    blocked_ |= bit(slot);
    ready_ &= ~bit(slot);
  }
  /// Nothing else does any more.
  void unblock(std::uint32_t slot) {
    blocked_ &= ~bit(slot);
    make_ready(bit(slot) & ~asleep_);
  }
  /// The next instruction of `slot`, which wanted the pipe, issues.
  void issue(std::uint32_t slot, isa::Pipe pipe) {
    ready_ &= ~bit(slot);
    wants_[static_cast<std::size_t>(pipe)] &= ~bit(slot);
  }
  [[nodiscard]] bool is_asleep(std::uint32_t slot) const { return (asleep_ & bit(slot)) != 0; }
  [[nodiscard]] SlotMask ready() const { return ready_; }
  /// Warps that became ready since the last call.
  [[nodiscard]] SlotMask take_newly_ready() { return std::exchange(newly_ready_, 0); }

  /// Looks again behind the bubble, in the next cycle at the earliest. One that goes beyond the ring is
  /// looked at in the ring's last cycle, and so on from there.
  void tick_after_bubble(Cycle now) { tick_at(std::clamp(pipes_.bubble().until(), now + 1, now + kRing - 1)); }

  /// After an issue: looks again for the other ready warps, as soon as one of them may issue.
  void tick_for_others(Cycle now);
  /// Looks again when pipes open that ready warps want. One that opens beyond the ring, or that is kept closed, is the
  /// SM's own event.
  void tick_when_open(Cycle now);

  /// Nothing issues before `at`, in (now, now + kRing): a warp's constant operand is awaited.
  void bubble_until(Cycle at) {
    constant_bubble_end_ = at;
    tick_at(at);
  }
  /// The warp in `slot` may issue in the next cycle although its last instruction incremented what the next one waits
  /// for.
  void set_early(std::uint32_t slot) { early_ |= SlotMask{1} << slot; }
  /// Those of the cycle before; forgets them.
  [[nodiscard]] SlotMask take_early() { return std::exchange(early_, 0); }

  /// Ready warps whose pipe is open at `now`; none while a register port or a constant is waited for.
  [[nodiscard]] SlotMask candidates(Cycle now) {
    if (now < constant_bubble_end_ || pipes_.bubble().covers(now)) [[unlikely]] {
      return in_bubble(now);
    }
    const SlotMask eligible = scheduler_.eligible(ready_, ages_);
    return pipes_.are_open() ? eligible : without_closed(eligible, now);
  }

  /// The policy's choice among `candidates` (not empty).
  [[nodiscard]] std::uint32_t pick(SlotMask candidates) { return scheduler_.pick(candidates, ages_); }
  [[nodiscard]] policy::WarpScheduler& scheduler() { return scheduler_; }
  /// The slot that issued last.
  [[nodiscard]] std::uint32_t last() const { return scheduler_.last(); }

  // Streaks: one warp issues in cycle after cycle
  // ---------------------------------------------------------------------------------------------

  /// Whether the warp that issued last may begin one, wakes at `at`, and no other does, and is picked if its pipe is
  /// open; nothing may happen to the sub-core before that cycle.
  [[nodiscard]] bool begins_streak(Cycle at) const {
    const SlotMask last = streaks_ & bit(scheduler_.last());
    return last != 0 && wakes_[at % kRing] == last && (early_ | newly_ready_ | (blocked_ & last)) == 0 &&
           (ready_ == 0 || scheduler_.stays_on_last(last)) && at >= constant_bubble_end_ && !pipes_.bubble().covers(at);
  }
  /// That warp issues at `at`, an instruction of `pipe`, and is not looked at before the streak ends.
  void begin_streak(isa::Pipe pipe, Cycle at) {
    wake(at);
    newly_ready_ = 0;
    issue(scheduler_.last(), pipe);
  }
  /// Whether it may go on at `at` with an instruction of `pipe`: nobody wakes then, and the pipe is open.
  [[nodiscard]] bool continues_streak(isa::Pipe pipe, Cycle at) const {
    return wakes_[at % kRing] == 0 && pipes_.is_open(pipe, at);
  }
  /// In cycle `at` nothing is looked at.
  void pass(Cycle at) { ticks_ &= ~(std::uint64_t{1} << (at % kRing)); }

  // Pipes
  // --------------------------------------------------------------------------------------------------------------

  [[nodiscard]] PipeLatches& pipes() { return pipes_; }
  [[nodiscard]] const PipeLatches& pipes() const { return pipes_; }
  /// An instruction of `pipe` issued at `now`. Returns the cycle at which the pipe's latch opens again.
  Cycle occupy(isa::Pipe pipe, Cycle now, Ratio interval) {
    const Cycle opens = pipes_.take(pipe, now, interval);
    // A policy with state may choose anew whenever it is asked.
    if (opens > now + 1 && scheduler_.has_state() && opens - now < kRing) {
      tick_at(opens);
    }
    return opens;
  }

  // Registers
  // -----------------------------------------------------------------------------------------------------------

  /// The instruction of `slot` that issued at `now`, and has taken its pipe, goes on to read its registers. Returns
  /// whether nothing issues in the next cycle because of that.
  bool read_registers(const lower::WarpOp& op, std::uint32_t slot, Cycle now) {
    const std::uint32_t bubbles = registers_.issue(op.ports, slot, op.latency, now);
    if (bubbles != 0) {
      pipes_.insert_bubble(now + 1, bubbles);
      tick_after_bubble(now);
    }
    return bubbles != 0;
  }
  [[nodiscard]] RegisterFile& registers() { return registers_; }

  // Slots
  // --------------------------------------------------------------------------------------------------------------

  void set_age(std::uint32_t slot, std::uint64_t age) { ages_[slot] = age; }
  /// The slot of `slots` (not empty) whose warp was launched last.
  [[nodiscard]] std::uint32_t youngest(SlotMask slots) const { return policy::youngest(slots, ages_); }

 private:
  [[nodiscard]] static SlotMask bit(std::uint32_t slot) { return SlotMask{1} << slot; }
  void make_ready(SlotMask slots) {
    ready_ |= slots;
    newly_ready_ |= slots;
  }
  [[nodiscard]] SlotMask in_bubble(Cycle now);
  [[nodiscard]] SlotMask without_closed(SlotMask candidates, Cycle now);
  [[nodiscard]] bool picks_to_reach_out(Cycle at);

  policy::WarpScheduler scheduler_;
  SlotMask ready_ = 0;
  SlotMask newly_ready_ = 0;
  SlotMask asleep_ = 0;   ///< until a time that is known
  SlotMask blocked_ = 0;  ///< by something else
  SlotMask early_ = 0;
  SlotMask reach_out_ = 0;  ///< their next instruction concerns more than the sub-core
  SlotMask streaks_ = 0;    ///< as far as their code says, their next instruction begins a streak
  std::uint64_t ticks_ = 0;
  Cycle constant_bubble_end_ = 0;
  std::array<SlotMask, kRing> wakes_{};
  std::array<SlotMask, isa::kPipes> wants_{};
  PipeLatches pipes_;
  RegisterFile registers_;
  std::array<std::uint64_t, kMaxSlots> ages_{};
};

/// Nothing may issue now. A warp that waits for a constant is looked at again when it is there.
inline SlotMask SubCore::in_bubble(Cycle now) {
  if (now >= constant_bubble_end_) {
    tick_after_bubble(now);
  }
  return 0;
}

/// Whether the warp that the policy picks at `at` is one of whose instruction the rest of the SM hears.
inline bool SubCore::picks_to_reach_out(Cycle at) {
  wake(at);
  const SlotMask able = candidates(at);
  return able != 0 && (reach_out_ & bit(scheduler_.would_pick(able, ages_))) != 0;
}

/// Those of the candidates whose pipe is open at `now`, a cycle in which nothing has issued yet.
inline SlotMask SubCore::without_closed(SlotMask candidates, Cycle now) {
  pipes_.for_each_closed(now, [&](isa::Pipe pipe) { candidates &= ~wants_[static_cast<std::size_t>(pipe)]; });
  return candidates;
}

inline void SubCore::tick_for_others(Cycle now) {
  SlotMask able = ready_;  // in the next cycle
  std::uint64_t openings = 0;
  if (!scheduler_.has_state()) {
    pipes_.for_each_closed(now + 1, [&](isa::Pipe pipe) {
      const SlotMask waiting = wants_[static_cast<std::size_t>(pipe)] & ready_;
      const Cycle opens = pipes_.opens_at(pipe);
      able &= ~waiting;
      openings |= waiting != 0 && opens - now < kRing ? std::uint64_t{1} << (opens % kRing) : 0;
    });
  }
  if (able != 0) {
    tick_after_bubble(now);
  } else {
    ticks_ |= openings;
  }
}

inline void SubCore::tick_when_open(Cycle now) {
  pipes_.for_each_maybe_closed([&](isa::Pipe pipe) {
    const Cycle opens = pipes_.opens_at(pipe);
    if ((wants_[static_cast<std::size_t>(pipe)] & ready_) != 0 && opens > now && opens - now < kRing) {
      tick_at(opens);
    }
  });
}

}  // namespace gpusim::sm
