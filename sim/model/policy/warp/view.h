// SPDX-License-Identifier: MIT
// What a warp scheduling policy sees of its sub-core, and what a policy is made of. Candidates come as a bit mask over
// the sub-core's warp slots.
#pragma once

#include <bit>
#include <cstdint>
#include <span>

namespace gpusim::policy {

/// Bit i: warp slot i of the sub-core (at most 16 on every modelled GPU, 32 in a what-if).
using SlotMask = std::uint32_t;
inline constexpr std::uint32_t kMaxSlots = 32;

/// By slot: order of launch, smaller is older.
using Ages = std::span<const std::uint64_t>;

/// What a policy may look at.
struct WarpView {
  SlotMask candidates = 0;  ///< never empty
  std::uint32_t last = 0;   ///< slot that issued last
  Ages ages;
  [[nodiscard]] bool is_candidate(std::uint32_t slot) const { return (candidates >> slot & 1U) != 0; }
};

/// The values of a configuration that policies take.
struct WarpPolicyOptions {
  std::uint32_t active_warps = kMaxSlots;  ///< sm.scheduler.active_warps
};

/// A policy is a class with a constructor from WarpPolicyOptions and pick(); the rest it inherits from here or hides.
struct WarpPolicyDefaults {
  /// Whether it hides eligible(), issued() or began_long_wait(); else none of them is called.
  static constexpr bool kHasState = false;
  /// Whether pick() takes the warp that issued last whenever it is a candidate; it is then not called.
  static constexpr bool kStaysOnLast = false;
  explicit WarpPolicyDefaults(const WarpPolicyOptions& /*options*/ = {}) {}
  /// Which of the ready warps (none, perhaps) may issue as far as the policy is concerned. Asked in every cycle in
  /// which an instruction might issue.
  [[nodiscard]] SlotMask eligible(SlotMask ready, Ages /*ages*/) const { return ready; }
  /// The warp in `slot` has issued.
  void issued(std::uint32_t /*slot*/) const {}
  /// The warp in `slot` has begun a long wait (for memory, a barrier, a fence, a sleep), or has exited.
  void began_long_wait(std::uint32_t /*slot*/) const {}
};

/// The slot of `slots` (not empty) whose age is better than all others'.
template <class Better>
[[nodiscard]] std::uint32_t best_by_age(SlotMask slots, Ages ages, Better better) {
  auto chosen = static_cast<std::uint32_t>(std::countr_zero(slots));
  for (SlotMask rest = slots & (slots - 1); rest != 0; rest &= rest - 1) {
    const auto slot = static_cast<std::uint32_t>(std::countr_zero(rest));
    if (better(ages[slot], ages[chosen])) {
      chosen = slot;
    }
  }
  return chosen;
}
[[nodiscard]] inline std::uint32_t oldest(SlotMask slots, Ages ages) {
  return best_by_age(slots, ages, [](std::uint64_t a, std::uint64_t b) { return a < b; });
}
[[nodiscard]] inline std::uint32_t youngest(SlotMask slots, Ages ages) {
  return best_by_age(slots, ages, [](std::uint64_t a, std::uint64_t b) { return a > b; });
}

}  // namespace gpusim::policy
