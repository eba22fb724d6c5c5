// SPDX-License-Identifier: MIT
#include "sim/machine/sm/tensor_queue.h"

namespace gpusim::sm {
namespace {

constexpr std::uint8_t kAllFour = (1U << kWarpgroupWarps) - 1;

}  // namespace

void TensorQueue::issue(const lower::WarpOp& op, const ProductOrigin& origin) {
  Warpgroup& group = groups_[index_of(origin)];
  const std::uint32_t warp = origin.warp_in_cta % kWarpgroupWarps;
  const std::uint32_t place = group.issued[warp]++ - group.ended;
  if (place == group.products.size()) {
    group.products.push_back({&op, {}, 0});
  }
  Product& product = group.products[place];
  if (product.op != &op) {
    return;
  }
  product.warp_slots[warp] = origin.warp_slot;
  product.issued = static_cast<std::uint8_t>(product.issued | 1U << warp);
  if (product.issued == kAllFour) {
    complete_.push_back(static_cast<std::uint32_t>(index_of(origin)));
  }
}

const Product* TensorQueue::front() {
  return complete_.empty() ? nullptr : &groups_[complete_.front()].products.front();
}

void TensorQueue::pop() {
  Warpgroup& group = groups_[complete_.front()];
  complete_.pop_front();
  group.products.pop_front();
  ++group.ended;
}

std::uint8_t TensorQueue::missing(const ProductOrigin& origin) const {
  const Warpgroup& group = groups_[index_of(origin)];
  if (group.products.empty() || group.issued[origin.warp_in_cta % kWarpgroupWarps] == group.ended) {
    return 0;
  }
  return static_cast<std::uint8_t>(kAllFour & ~group.products.front().issued);
}

}  // namespace gpusim::sm
