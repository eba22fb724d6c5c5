// SPDX-License-Identifier: MIT
#pragma once

#include "sim/model/policy/warp/view.h"

namespace gpusim::policy {

/// Stays on the warp that issued last, else takes the youngest: what Ampere is measured to do (Huerta et al., MICRO
/// 2025).
struct GreedyThenYoungest : WarpPolicyDefaults {
  static constexpr bool kStaysOnLast = true;
  using WarpPolicyDefaults::WarpPolicyDefaults;
  [[nodiscard]] std::uint32_t pick(const WarpView& view) const {
    return view.is_candidate(view.last) ? view.last : youngest(view.candidates, view.ages);
  }
};

}  // namespace gpusim::policy
