// SPDX-License-Identifier: MIT
#include "sim/machine/sm/wgmma/wgmma_queue.h"

namespace gpusim::sm {
namespace {

constexpr std::uint8_t kAllFour = (1U << kWarpgroupWarps) - 1;

}  // namespace

void WgmmaQueue::issue(const lower::WarpOp& op, const WgmmaOrigin& origin) {
  Warpgroup& group = groups_[index_of(origin)];
  const std::uint32_t warp = origin.warp_in_cta % kWarpgroupWarps;
  const std::uint32_t place = group.issued[warp]++ - group.ended;
  if (place == group.operations.size()) {
    group.operations.push_back({&op, {}, 0});
  }
  Wgmma& operation = group.operations[place];
  if (operation.op != &op) {
    return;
  }
  operation.warp_slots[warp] = origin.warp_slot;
  operation.issued = static_cast<std::uint8_t>(operation.issued | 1U << warp);
  if (operation.issued == kAllFour) {
    complete_.push_back(static_cast<std::uint32_t>(index_of(origin)));
  }
}

const Wgmma* WgmmaQueue::front() const {
  return complete_.empty() ? nullptr : &groups_[complete_.front()].operations.front();
}

void WgmmaQueue::pop() {
  Warpgroup& group = groups_[complete_.front()];
  complete_.pop_front();
  group.operations.pop_front();
  ++group.ended;
}

std::uint8_t WgmmaQueue::missing(const WgmmaOrigin& origin) const {
  const Warpgroup& group = groups_[index_of(origin)];
  if (group.operations.empty() || group.issued[origin.warp_in_cta % kWarpgroupWarps] == group.ended) {
    return 0;
  }
  return static_cast<std::uint8_t>(kAllFour & ~group.operations.front().issued);
}

}  // namespace gpusim::sm
