// SPDX-License-Identifier: MIT
// The state of one resident warp: one record, since every instruction touches most of it. WarpTable owns it; the type
// of a field says which units write it, and the rules are in those units.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "sim/base/prefetch.h"
#include "sim/base/types.h"
#include "sim/base/written_by.h"
#include "sim/machine/lower/warp_op.h"
#include "sim/machine/sm/warps/waits.h"
#include "sim/model/isa/instr.h"
#include "sim/model/stats/stall.h"
#include "sim/model/trace/step.h"

namespace gpusim::trace {
class Walker;
}

namespace gpusim::sm {

class Dependences;
class Executor;
class FrontEnd;
class Issuer;
class Polls;
class Residency;
class StallLedger;
class WarpTable;
class WgmmaUnit;

/// One dependence counter (SB0-5): operations outstanding, and when they last ran out.
struct DependenceCounter {
  std::uint16_t outstanding = 0;
  std::uint16_t outstanding_long = 0;  ///< those of them that are from L1TEX
  std::uint32_t last = 0;              ///< index of the instruction whose operation completed last
  std::uint32_t last_long = 0;         ///< the same of those from L1TEX
  Cycle clear_since = 0;               ///< cycle at which `outstanding` last became zero
  Cycle long_clear_since = 0;
};

/// The most a dependence counter can count.
inline constexpr std::uint32_t kMostOutstanding = 63;

/// The cycles [begin, end) in which a state held, as far as they are known.
struct StallInterval {
  Cycle begin;             ///< at or before gap_begin: since the gap began
  Cycle end;               ///< 0: not known yet
  std::uint32_t producer;  ///< index of the instruction whose operation ended it, or lower::kNoProducer
};

/// The states that hold in one gap, by Stall. Most gaps are stall counts and dependence counters alone; the intervals
/// of others are valid where the mask says so, since a warp issues millions of times.
class GapStalls {
 public:
  GapStalls() = default;
  /// Nothing holds but a stall count, which ends at `until`.
  explicit GapStalls(Cycle until) : wait(until) {}

  WrittenBy<Cycle, GapStalls, Issuer, Dependences> wait;  ///< until when Stall::kWait holds

  /// Whether states hold that the instruction's own stall count and wait mask do not tell.
  [[nodiscard]] bool has_others() const { return held_ != 0; }
  [[nodiscard]] StallMask held() const { return held_; }
  [[nodiscard]] bool holds(Stall state) const { return (held_ & mask_of(state)) != 0; }
  /// The interval of a state that holds.
  [[nodiscard]] const StallInterval& operator[](Stall state) const {
    return intervals_[static_cast<std::size_t>(state)];
  }

  /// The state begins at `at`, behind the beginning of the gap and where another one ends.
  void note_begin(Stall state, Cycle at) {
    held_ |= mask_of(state);
    intervals_[static_cast<std::size_t>(state)] = {at, 0, lower::kNoProducer};
  }
  /// It ends, now or later: by an operation of instruction `producer` (an index), if by any.
  void note_end(Stall state, Cycle at, std::uint32_t producer = lower::kNoProducer) {
    StallInterval& interval = intervals_[static_cast<std::size_t>(state)];
    interval = {holds(state) ? interval.begin : 0, at, producer};
    held_ |= mask_of(state);
  }
  /// A counter is no longer beyond the limit that the warp waits for: Stall::kShortScoreboard ends.
  void note_limit(std::uint8_t counter, Cycle at, std::uint32_t producer) {
    note_end(Stall::kShortScoreboard, at, producer);
    limited_counter_ = counter;
  }
  /// That counter.
  [[nodiscard]] std::uint8_t limited_counter() const { return limited_counter_; }
  /// The last end that is known so far; 0: none.
  [[nodiscard]] Cycle last_end() const {
    Cycle last = 0;
    for (StallMask rest = held_; rest != 0; rest &= rest - 1) {
      last = std::max(last, intervals_[static_cast<std::size_t>(std::countr_zero(rest))].end);
    }
    return last;
  }

 private:
  friend Issuer;
  friend Residency;

  /// A new gap begins, whose stall count ends at `until`.
  void begin(Cycle until) {
    wait = until;
    held_ = 0;
  }

  std::uint8_t limited_counter_ = 0;
  StallMask held_ = 0;
  std::array<StallInterval, stats::kStallCount> intervals_;  ///< those of held_ have a value
};

/// WGMMA operations that a warp has issued and that have not ended.
struct WgmmaInFlight {
  std::uint16_t operations = 0;
  std::uint16_t groups = 0;  ///< closed ones
};

/// In whole lines of the host's cache, with what a few instructions in a thousand need behind the rest.
struct alignas(kHostLineBytes) Warp {
  static constexpr unsigned kInvisibleBits = 2;
  static const std::size_t kHotBytes;  ///< from the beginning of the object: what every instruction may touch

  WrittenBy<trace::Walker*, WarpTable> walker{};  ///< knows where the warp is in the kernel, and what comes next
  WrittenBy<trace::Step, Issuer, Residency, Polls> next{};  ///< the instruction that waits to issue
  WrittenBy<const lower::WarpOp*, Issuer, Residency> op{};
  WrittenBy<bool, Residency> resident{};
  WrittenBy<bool, Residency> exited{};     ///< drains: waits for its outstanding operations
  WrittenBy<bool, Issuer> has_constant{};  ///< the constant that its next instruction waited for has come
  WrittenBy<bool, FrontEnd> steady{};      ///< its instruction buffer cannot run dry, see front_end.h
  WarpWaits waits{};
  WrittenBy<std::uint16_t, Polls> answers{};     ///< to polls, by predicate (lower::predicate_bit): the last was yes
  WrittenBy<std::uint16_t, Polls> unanswered{};  ///< polls under way, by predicate
  WrittenBy<std::uint32_t, WarpTable> sub_core{};
  WrittenBy<std::uint32_t, WarpTable> slot{};  ///< in the sub-core
  WrittenBy<std::uint32_t, Residency> cta_slot{};
  /// Operations that will still touch this warp: it may not leave before.
  WrittenBy<std::uint32_t, Executor, WgmmaUnit, Residency> in_flight{};
  WrittenBy<Cycle, Issuer, Residency, StallLedger> gap_begin{};  ///< first cycle after the last issue
  WrittenBy<Cycle, Issuer> ready_since{};
  WrittenBy<std::uint64_t, Issuer> throttled_before{};  ///< cycles its pipe had been closed when it became ready
  WrittenBy<std::uint64_t, Issuer> bubbles_before{};    ///< and those of bubbles in its sub-core
  /// Increments by the last instruction, which are not visible to its successor if it issues in the next cycle: a
  /// number of kInvisibleBits for each counter.
  WrittenBy<std::uint32_t, Dependences> invisible_increments{};
  WrittenBy<std::array<DependenceCounter, isa::kDependenceCounters>, Dependences> counters{};
  GapStalls stalls;
  WrittenBy<std::uint32_t, Residency> warp_in_cta{};
  WrittenBy<WgmmaInFlight, WgmmaUnit> wgmma{};
  WrittenBy<Cycle, Residency> resident_since{};

  /// Operations outstanding in a counter, as far as its next instruction sees them.
  [[nodiscard]] std::uint32_t seen_outstanding(unsigned counter) const {
    const std::uint32_t all = counters.get()[counter].outstanding;
    const std::uint32_t invisible = invisible_increments >> kInvisibleBits * counter & ((1U << kInvisibleBits) - 1);
    return all > invisible ? all - invisible : 0;
  }
};
inline constexpr std::size_t Warp::kHotBytes = sizeof(Warp) - sizeof(std::array<StallInterval, stats::kStallCount>);

}  // namespace gpusim::sm
