// SPDX-License-Identifier: MIT
#include "sim/system/memory/optimizer.h"

namespace gpusim::memory {
namespace {

/// bitsandbytes keeps small tensors in FP32, and a scale for each block of the others.
constexpr std::uint64_t kLeastIn8Bits = 4096;
constexpr std::uint64_t kBlock = 256;
constexpr std::uint64_t kScaleBytes = 4;

}  // namespace

std::vector<std::uint64_t> state_bytes(Optimizer optimizer, const Widths& widths, std::uint64_t elements) {
  std::vector<std::uint64_t> out;
  if (widths.master != 0) {
    out.push_back(elements * widths.master);
  }
  const std::size_t states = optimizer == Optimizer::kSgd ? 0 : optimizer == Optimizer::kMomentum ? 1 : 2;
  const bool in_8_bits = optimizer == Optimizer::kAdam8Bit && elements >= kLeastIn8Bits;
  out.insert(out.end(), states,
             in_8_bits ? elements + (elements + kBlock - 1) / kBlock * kScaleBytes : elements * widths.state);
  return out;
}

std::uint64_t scratch_bytes(Optimizer optimizer, const Widths& widths, std::uint64_t elements) {
  // torch.optim without fused: AdamW's denominators, SGD's gradients with weight decay, of all parameters at once.
  const bool makes = optimizer == Optimizer::kAdam || optimizer == Optimizer::kMomentum || optimizer == Optimizer::kSgd;
  return makes ? elements * widths.state : 0;
}

}  // namespace gpusim::memory
