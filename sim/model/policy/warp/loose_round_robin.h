// SPDX-License-Identifier: MIT
#pragma once

#include "sim/model/policy/warp/view.h"

namespace gpusim::policy {

/// The next candidate after the one that issued last, in slot order.
struct LooseRoundRobin : WarpPolicyDefaults {
  using WarpPolicyDefaults::WarpPolicyDefaults;
  [[nodiscard]] std::uint32_t pick(const WarpView& view) const {
    const SlotMask after = view.candidates & ~((SlotMask{2} << view.last) - 1);
    return static_cast<std::uint32_t>(std::countr_zero(after != 0 ? after : view.candidates));
  }
};

}  // namespace gpusim::policy
