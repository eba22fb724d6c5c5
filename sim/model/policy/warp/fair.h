// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>

#include "sim/model/policy/warp/view.h"

namespace gpusim::policy {

/// The candidate that has issued the fewest instructions since its launch, the oldest of several. A warp that is
/// launched later goes first until it has caught up. For comparison: we know of no GPU or paper that schedules so.
class Fair : public WarpPolicyDefaults {
 public:
  static constexpr bool kHasState = true;
  using WarpPolicyDefaults::WarpPolicyDefaults;

  /// Hides no warp; a slot with another age has a new warp.
  [[nodiscard]] SlotMask eligible(SlotMask ready, Ages ages) {
    for (SlotMask rest = ready; rest != 0; rest &= rest - 1) {
      const auto slot = static_cast<std::size_t>(std::countr_zero(rest));
      if (Warp& warp = warps_[slot]; warp.age != ages[slot]) {
        warp = {ages[slot], 0};
      }
    }
    return ready;
  }
  [[nodiscard]] std::uint32_t pick(const WarpView& view) const {
    auto chosen = static_cast<std::uint32_t>(std::countr_zero(view.candidates));
    for (SlotMask rest = view.candidates & (view.candidates - 1); rest != 0; rest &= rest - 1) {
      const auto slot = static_cast<std::uint32_t>(std::countr_zero(rest));
      chosen = goes_before(warps_[slot], warps_[chosen]) ? slot : chosen;
    }
    return chosen;
  }
  void issued(std::uint32_t slot) { ++warps_[slot].instructions; }

 private:
  struct Warp {
    std::uint64_t age = ~std::uint64_t{0};
    std::uint64_t instructions = 0;
  };
  [[nodiscard]] static bool goes_before(const Warp& a, const Warp& b) {
    return a.instructions != b.instructions ? a.instructions < b.instructions : a.age < b.age;
  }

  std::array<Warp, kMaxSlots> warps_{};
};

}  // namespace gpusim::policy
