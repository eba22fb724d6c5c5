// SPDX-License-Identifier: MIT
// The state of one resident warp. Plain data; the rules are in sub_core.cc, sm.cc and stall_ledger.cc.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "sim/base/prefetch.h"
#include "sim/base/types.h"
#include "sim/machine/lower/kernel_image.h"
#include "sim/model/isa/instr.h"
#include "sim/model/trace/walker.h"

namespace gpusim::sm {

/// One dependence counter (SB0-5): operations outstanding, and when they last ran out.
struct DependenceCounter {
  std::uint16_t outstanding = 0;
  std::uint16_t outstanding_long = 0;  ///< of those, from L1TEX
  std::uint32_t last = 0;              ///< index of the instruction whose operation completed last
  std::uint32_t last_long = 0;         ///< the same of those from L1TEX
  Cycle clear_since = 0;               ///< cycle at which `outstanding` last became zero
  Cycle long_clear_since = 0;
};

/// The most a dependence counter can count.
inline constexpr std::uint32_t kMostOutstanding = 63;

/// What keeps a warp's next instruction from being a candidate; a warp is ready when none holds. Its sub-core keeps who
/// waits for a timer.
enum WaitReason : std::uint8_t {
  kWaitsForTimer = 1,     ///< stall count, branch target, sleep
  kWaitsForCounters = 2,  ///< dependence counters in the wait mask, a DEPBAR's limit, or room in one that it raises
  kWaitsForBarrier = 4,
  kWaitsForFence = 8,
  kWaitsForInstruction = 16,
  kWaitsForConstant = 32,
  kWaitsForGmma = 64,      ///< room for a product of its warpgroup, or the end of groups of them
  kWaitsForCluster = 128,  ///< the barrier of its cluster
};

/// When a dependence was met, and by the operation of which instruction (an index).
struct Release {
  Cycle at = 0;
  std::uint32_t producer = 0;

  void put_off(const Release& other) {
    if (other.at > at) {
      *this = other;
    }
  }
};

/// Cycles from which the rarer causes of waiting no longer hold, as far as they are known. A cause that never held has
/// a cycle at or before gap_begin.
struct ReleaseTimes {
  Cycle sleeping = 0;
  Cycle barrier = 0;  ///< of the CTA, or of its cluster
  Cycle membar = 0;
  Cycle gmma = 0;
  std::uint32_t gmma_producer = 0;  ///< index of the product that ended last
  Cycle branch = 0;
  Cycle fetch_begin = 0;  ///< cycle from which the instruction buffer was empty for want of fetch
  Cycle fetch = 0;        ///< until then
  Cycle constant = 0;
  Cycle counter_limit = 0;                   ///< DEPBAR.LE, or room in a counter
  std::uint32_t counter_limit_producer = 0;  ///< index of the instruction whose operation met that limit
  std::uint8_t limited_counter = 0;          ///< that counter
  Release long_register;                     ///< with a scoreboard: the last register that came from L1TEX
  Release short_register;                    ///< and of those of another variable latency
};

/// The release times of one gap. Most gaps are stall counts and dependence counters alone; the others' times are
/// cleared only where they were written, since a warp issues millions of times.
class GapReleases {
 public:
  Cycle wait = 0;  ///< stall count

  [[nodiscard]] bool has_others() const { return has_others_; }
  [[nodiscard]] const ReleaseTimes& others() const { return others_; }
  [[nodiscard]] ReleaseTimes& put() {
    has_others_ = true;
    return others_;
  }
  void clear() {
    wait = 0;
    if (has_others_) {
      others_ = {};
      has_others_ = false;
    }
  }

 private:
  bool has_others_ = false;
  ReleaseTimes others_;
};

/// Products of its warpgroup that a warp has issued and that have not ended.
struct ProductsUnderWay {
  std::uint16_t products = 0;
  std::uint16_t groups = 0;  ///< closed ones
};

/// In whole lines of the host's cache, with what a few instructions in a thousand need behind the rest.
struct alignas(kHostLineBytes) Warp {
  static constexpr unsigned kFreshBits = 2;
  static const std::size_t kHotBytes;  ///< from the beginning of the object: what every instruction may touch

  trace::Walker walker;  // its hot end next to the hot beginning of the rest

  trace::Step next;  ///< the instruction that waits to issue
  const lower::WarpOp* op = nullptr;
  bool resident = false;
  bool exited = false;           ///< drains: waits for its outstanding operations
  bool has_constant = false;     ///< the constant that its next instruction waited for has come
  bool steady = false;           ///< its instruction buffer cannot run dry before the next line or jump (front_end.h)
  std::uint8_t waits = 0;        ///< mask of WaitReason
  std::uint16_t answers = 0;     ///< of polls, by predicate (lower::live_bit): the last was yes
  std::uint16_t unanswered = 0;  ///< polls under way, by predicate
  std::uint32_t sub_core = 0;
  std::uint32_t slot = 0;  ///< in the sub-core
  std::uint32_t cta_slot = 0;
  std::uint32_t in_flight = 0;  ///< operations that will still touch this warp: it may not leave before
  Cycle gap_begin = 0;          ///< first cycle after the last issue
  Cycle ready_since = 0;
  std::uint64_t throttled_before = 0;  ///< cycles its pipe had been closed when it became ready
  std::uint64_t held_before = 0;       ///< and for which its sub-core had been held
  /// Raises that the last instruction made, which its successor does not see if it issues in the next cycle: a number
  /// of kFreshBits for each counter.
  std::uint32_t fresh_raises = 0;
  std::array<DependenceCounter, isa::kDependenceCounters> counters{};
  GapReleases release;
  std::uint32_t warp_in_cta = 0;
  ProductsUnderWay gmma;
  Cycle resident_since = 0;

  /// Operations outstanding in a counter, as far as its next instruction sees them.
  [[nodiscard]] std::uint32_t seen_outstanding(unsigned counter) const {
    const std::uint32_t all = counters[counter].outstanding;
    const std::uint32_t fresh = fresh_raises >> kFreshBits * counter & ((1U << kFreshBits) - 1);
    return all > fresh ? all - fresh : 0;
  }
};
inline constexpr std::size_t Warp::kHotBytes = sizeof(Warp) - sizeof(ReleaseTimes);

}  // namespace gpusim::sm
