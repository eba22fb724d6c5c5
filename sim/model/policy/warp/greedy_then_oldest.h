// SPDX-License-Identifier: MIT
#pragma once

#include "sim/model/policy/warp/view.h"

namespace gpusim::policy {

/// Stays on the warp that issued last, else takes the oldest: the classic GTO of the literature (Rogers et al., MICRO
/// 2012).
struct GreedyThenOldest : WarpPolicyDefaults {
  static constexpr bool kStaysOnLast = true;
  using WarpPolicyDefaults::WarpPolicyDefaults;
  [[nodiscard]] std::uint32_t pick(const WarpView& view) const {
    return view.is_candidate(view.last) ? view.last : oldest(view.candidates, view.ages);
  }
};

}  // namespace gpusim::policy
