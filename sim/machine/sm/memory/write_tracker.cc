// SPDX-License-Identifier: MIT
#include "sim/machine/sm/memory/write_tracker.h"

#include <algorithm>
#include <cassert>

namespace gpusim::sm {

void WriteTracker::begin_warp(std::uint16_t warp) {
  const auto tenant = static_cast<std::uint16_t>((warps_[warp].tenant + 1) & ReplyToken::kMostTenant);
  warps_[warp] = {};
  warps_[warp].tenant = tenant;
}

void WriteTracker::acknowledge(ReplyToken token, Cycle now) {
  if (!is_there(token)) {
    return;
  }
  const std::uint16_t warp = token.warp();
  Writes& writes = warps_[warp];
  assert(writes.outstanding > 0);
  if (--writes.outstanding == 0 && writes.fence_waits) {
    writes.fence_waits = false;
    events_.push(std::max(now, writes.fence_earliest), SmEvent(SmEventKind::kFenceDone, warp));
  }
}

void WriteTracker::fence(std::uint16_t warp, std::uint32_t latency, bool leaves_sm, Cycle now) {
  Writes& writes = warps_[warp];
  const Cycle alone = after_issue(now, latency);
  if (writes.outstanding == 0) {
    events_.push(alone, SmEvent(SmEventKind::kFenceDone, warp));
    return;
  }
  writes.fence_waits = true;
  writes.fence_earliest = leaves_sm ? std::max(alone, rounds_.end_of(now, latency)) : alone;
}

}  // namespace gpusim::sm
