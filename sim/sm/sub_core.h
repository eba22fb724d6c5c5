// SPDX-License-Identifier: MIT
// One of an SM's four issue quarters: which of its warps are ready, which pipes are open, and so which warp may issue
// now. Bit masks and a ring of wake-ups; nothing is scanned and nothing polls.
#pragma once

#include <array>
#include <bit>
#include <cassert>
#include <cstdint>

#include "sim/base/ratio.h"
#include "sim/base/types.h"
#include "sim/isa/timing.h"
#include "sim/sm/warp_policy.h"

namespace gpusim::sm {

/// A pipe's input latch. Closed from the cycle after an issue until the pipe can take the next instruction; the
/// load/store queue's latch is closed while the queue is full.
class PipeGate {
 public:
  /// An instruction entered at `now` and holds the latch for its interval. Returns the cycle at which it opens again.
  Cycle take(Cycle now, Ratio interval) {
    if (interval != interval_) {
      server_ = RateServer(interval);
      interval_ = interval;
    }
    opens_at_ = server_.take(now, 1);
    if (opens_at_ > now + 1) {
      closed_total_ += opens_at_ - (now + 1);
    }
    return opens_at_;
  }
  void close(Cycle from) {
    held_ = true;
    held_since_ = from;
  }
  void open(Cycle now) {
    held_ = false;
    closed_total_ += now - held_since_;
  }
  [[nodiscard]] bool is_held() const { return held_; }
  [[nodiscard]] Cycle opens_at() const { return opens_at_; }
  [[nodiscard]] bool is_open(Cycle now) const { return !held_ && now >= opens_at_; }
  /// Cycles before `at` in which the latch was closed; `at` is after the last take() and not before the last open().
  [[nodiscard]] std::uint64_t closed_before(Cycle at) const {
    if (held_) {
      return closed_total_ + (at > held_since_ ? at - held_since_ : 0);
    }
    return closed_total_ - (opens_at_ > at ? opens_at_ - at : 0);
  }

 private:
  Ratio interval_{1, 1};
  RateServer server_;
  Cycle opens_at_ = 0;
  Cycle held_since_ = 0;
  std::uint64_t closed_total_ = 0;
  bool held_ = false;
};

class SubCore {
 public:
  static constexpr std::uint32_t kMaxSlots = 32;  ///< bits of a SlotMask
  static const std::size_t kHotBytes;             ///< from the beginning of the object: what every cycle may touch

  explicit SubCore(WarpPolicy policy) : policy_(policy) {}

  // Wake-ups
  // -----------------------------------------------------------------------------------------------------------

  /// Horizon of the ring: further wake-ups are the SM's own events.
  static constexpr Cycle kRing = 64;

  /// The warp in `slot` is due at `at`, in (now, now + kRing).
  void wake_at(std::uint32_t slot, Cycle at) {
    wakes_[at % kRing] |= SlotMask{1} << slot;
    tick_at(at);
  }
  /// Something about this sub-core may change at `at`, in (now, now + kRing): look again.
  void tick_at(Cycle at) { ticks_ |= std::uint64_t{1} << (at % kRing); }

  /// Slots due at `now`; forgets them.
  [[nodiscard]] SlotMask take_wakes(Cycle now) {
    const SlotMask due = wakes_[now % kRing];
    wakes_[now % kRing] = 0;
    ticks_ &= ~(std::uint64_t{1} << (now % kRing));
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

  void set_ready(std::uint32_t slot, isa::Pipe pipe) {
    ready_ |= SlotMask{1} << slot;
    wants_[static_cast<std::size_t>(pipe)] |= SlotMask{1} << slot;
  }
  void clear_ready(std::uint32_t slot, isa::Pipe pipe) {
    ready_ &= ~(SlotMask{1} << slot);
    wants_[static_cast<std::size_t>(pipe)] &= ~(SlotMask{1} << slot);
  }
  [[nodiscard]] SlotMask ready() const { return ready_; }

  /// Nothing issues before `at`, in (now, now + kRing): a warp's constant operand is awaited.
  void hold_until(Cycle at) {
    held_until_ = at;
    tick_at(at);
  }
  [[nodiscard]] bool is_held(Cycle now) const { return now < held_until_; }

  /// Ready warps whose pipe is open at `now`.
  [[nodiscard]] SlotMask candidates(Cycle now);

  /// The policy's choice among `candidates` (not empty).
  [[nodiscard]] std::uint32_t pick(SlotMask candidates);

  // Pipes
  // --------------------------------------------------------------------------------------------------------------

  /// An instruction of `pipe` issued at `now`.
  void occupy(isa::Pipe pipe, Cycle now, Ratio interval) {
    const Cycle opens = gate_of(pipe).take(now, interval);
    if (opens > now + 1) {
      maybe_closed_ |= 1U << static_cast<unsigned>(pipe);
      if (opens - now < kRing) {
        tick_at(opens);
      }
    }
  }
  /// The load/store queue is full from `from` on / has room at `now`.
  void close(isa::Pipe pipe, Cycle from) {
    gate_of(pipe).close(from);
    maybe_closed_ |= 1U << static_cast<unsigned>(pipe);
  }
  void open(isa::Pipe pipe, Cycle now) { gate_of(pipe).open(now); }
  [[nodiscard]] const PipeGate& gate(isa::Pipe pipe) const { return gates_[static_cast<std::size_t>(pipe)]; }

  // Slots
  // --------------------------------------------------------------------------------------------------------------

  void set_age(std::uint32_t slot, std::uint64_t age) { ages_[slot] = age; }
  /// Of `slots` (not empty), the one whose warp was launched last.
  [[nodiscard]] std::uint32_t youngest(SlotMask slots) const;

 private:
  [[nodiscard]] PipeGate& gate_of(isa::Pipe pipe) { return gates_[static_cast<std::size_t>(pipe)]; }

  WarpPolicy policy_;
  SlotMask ready_ = 0;
  std::uint32_t maybe_closed_ = 0;  ///< by pipe; cleared when found open
  std::uint32_t last_ = 0;
  std::uint64_t ticks_ = 0;
  Cycle held_until_ = 0;
  std::array<SlotMask, kRing> wakes_{};
  std::array<SlotMask, isa::kPipes> wants_{};
  std::array<PipeGate, isa::kPipes> gates_{};
  std::array<std::uint64_t, kMaxSlots> ages_{};
};
inline constexpr std::size_t SubCore::kHotBytes = sizeof(SubCore) - sizeof(SubCore::ages_);

}  // namespace gpusim::sm
