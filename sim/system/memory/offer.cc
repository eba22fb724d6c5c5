// SPDX-License-Identifier: MIT
#include "sim/system/memory/offer.h"

#include <algorithm>

#include "sim/base/units.h"
#include "sim/model/arch/arch.h"

namespace gpusim::memory {
namespace {

/// Measured on an H100 with PyTorch 2.11 where memory ended in training (tests/validation/silicon/h100): 79.09 GiB in
/// use, 78.34 GiB of them PyTorch's. A context alone takes 0.51 GiB there; kernels of libraries are loaded when they
/// are used. Other GPUs: a guess, the same.
constexpr std::uint64_t kContext = 770 * kMi;
/// A guess between the 0.7 and 1.5 GiB that users report of the first collective.
constexpr std::uint64_t kNccl = kGi;
constexpr std::uint64_t kHopperWorkspace = 32 * kMi;
constexpr std::uint64_t kWorkspace = 2 * 4 * kMi + 8 * 16 * kKi;

}  // namespace

Offer offer_of(const arch::Arch& arch, std::uint64_t gpus) {
  const std::uint64_t total = arch.dram.capacity_bytes - std::min(arch.dram.driver_bytes, arch.dram.capacity_bytes);
  return {total, kContext, gpus > 1 ? kNccl : 0};
}

std::uint64_t workspace_of(const arch::Arch& arch) {
  // "9.0", "12.0": from Hopper on.
  const bool is_hopper = arch.compute_capability.starts_with("9") || arch.compute_capability.starts_with("1");
  return is_hopper ? kHopperWorkspace : kWorkspace;
}

}  // namespace gpusim::memory
