// SPDX-License-Identifier: MIT
#include "sim/exec/alike/region.h"

#include <algorithm>

namespace gpusim::exec {

void Region::require(const Slope& slope, std::int64_t low, std::int64_t high) {
  if (slope.is_zero() || is_closed_) {
    return;
  }
  if (last_ >= bounds_.size() || bounds_[last_].slope != slope) {
    const auto found = std::ranges::find(bounds_, slope, &Bound::slope);
    last_ = static_cast<std::size_t>(found - bounds_.begin());
    if (found == bounds_.end()) {
      is_closed_ = bounds_.size() == kMostBounds;
      if (is_closed_) {
        return;
      }
      bounds_.push_back({slope, low, high});
    }
  }
  bounds_[last_].low = std::max(bounds_[last_].low, low);
  bounds_[last_].high = std::min(bounds_[last_].high, high);
}

bool Region::contains(const GridDistance& distance) const {
  if (distance.x == 0 && distance.y == 0 && distance.z == 0) {
    return true;
  }
  return !is_closed_ && std::ranges::all_of(bounds_, [&distance](const Bound& bound) {
    const std::int64_t change = bound.slope.over(distance);
    return bound.low <= change && change <= bound.high;
  });
}

}  // namespace gpusim::exec
