// SPDX-License-Identifier: MIT
#pragma once

#include "sim/model/policy/warp/view.h"

namespace gpusim::policy {

/// Always the oldest candidate.
struct OldestFirst : WarpPolicyDefaults {
  using WarpPolicyDefaults::WarpPolicyDefaults;
  [[nodiscard]] std::uint32_t pick(const WarpView& view) const { return oldest(view.candidates, view.ages); }
};

}  // namespace gpusim::policy
