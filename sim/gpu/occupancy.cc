// SPDX-License-Identifier: MIT
// The rules are those of NVIDIA's occupancy calculator for compute capability 7.0 and later, restated; an SM's register
// file is not one pool but one a sub-core.
#include "sim/gpu/occupancy.h"

#include <algorithm>
#include <limits>

namespace gpusim::gpu {
namespace {

constexpr std::uint32_t kUnlimited = std::numeric_limits<std::uint32_t>::max();

std::uint64_t round_up(std::uint64_t value, std::uint64_t unit) {
  return (value + unit - 1) / unit * unit;
}

std::uint32_t& limit(stats::Occupancy& occupancy, stats::Limiter limiter) {
  return occupancy.limit[static_cast<std::size_t>(limiter)];
}

std::uint32_t warp_limit(const arch::SmConfig& sm, const trace::Kernel& kernel) {
  return kernel.threads_per_cta() > sm.limits.threads_per_cta ? 0 : sm.limits.warps_per_sm / kernel.warps_per_cta();
}

std::uint32_t register_limit(const arch::SmConfig& sm, const trace::Kernel& kernel) {
  if (kernel.registers_per_thread == 0) {
    return kUnlimited;
  }
  const std::uint64_t warps = kernel.warps_per_cta();
  const std::uint64_t per_warp =
      round_up(std::uint64_t{kernel.registers_per_thread} * kWarpLanes, sm.limits.register_allocation_unit);
  const std::uint64_t spread_warps = round_up(warps, sm.sub_cores);
  if (per_warp * spread_warps > sm.limits.registers_per_cta) {
    return 0;
  }
  const std::uint64_t warps_per_sub_core = sm.limits.registers_per_sm / sm.sub_cores / per_warp;
  return static_cast<std::uint32_t>(warps_per_sub_core * sm.sub_cores / warps);
}

/// Shared memory a CTA takes, driver reserve and granularity included; 0 when it may not have that much.
std::uint64_t shared_allocation(const arch::SharedMemoryConfig& shared, const trace::Kernel& kernel) {
  return round_up(kernel.shared_static_bytes + kernel.shared_dynamic_bytes + shared.reserved_per_cta,
                  shared.allocation_unit);
}

std::uint32_t shared_limit(const arch::SharedMemoryConfig& shared, std::uint64_t allocation) {
  if (allocation == 0) {
    return kUnlimited;
  }
  if (allocation > shared.max_per_cta + shared.reserved_per_cta) {
    return 0;
  }
  return static_cast<std::uint32_t>(shared.carveouts.back() / allocation);
}

std::uint32_t barrier_limit(const arch::SmConfig& sm, const trace::Kernel& kernel) {
  return sm.limits.barriers_per_sm == 0 || kernel.barriers == 0 ? kUnlimited
                                                                : sm.limits.barriers_per_sm / kernel.barriers;
}

/// The smallest carve-out that holds the CTAs: what reports show the driver to choose.
std::uint64_t carveout_for(const arch::SharedMemoryConfig& shared, std::uint64_t bytes) {
  const auto it = std::lower_bound(shared.carveouts.begin(), shared.carveouts.end(), bytes);
  return it == shared.carveouts.end() ? shared.carveouts.back() : *it;
}

}  // namespace

stats::Occupancy occupancy(const arch::SmConfig& sm, const trace::Kernel& kernel) {
  using stats::Limiter;
  stats::Occupancy result;
  result.warps_per_cta = kernel.warps_per_cta();
  result.max_warps_per_sm = sm.limits.warps_per_sm;
  const std::uint64_t allocation = shared_allocation(sm.shared, kernel);
  limit(result, Limiter::kWarps) = warp_limit(sm, kernel);
  limit(result, Limiter::kRegisters) = register_limit(sm, kernel);
  limit(result, Limiter::kSharedMem) = shared_limit(sm.shared, allocation);
  limit(result, Limiter::kBlocks) = sm.limits.ctas_per_sm;
  limit(result, Limiter::kBarriers) = barrier_limit(sm, kernel);
  result.ctas_per_sm = *std::min_element(result.limit.begin(), result.limit.end());
  for (std::size_t i = 0; i < result.limit.size(); ++i) {
    if (result.limit[i] == result.ctas_per_sm) {
      result.limiters.push_back(static_cast<Limiter>(i));
    }
  }
  result.shared_carveout_bytes = carveout_for(sm.shared, allocation * result.ctas_per_sm);
  result.l1_bytes = sm.l1.unified_bytes - result.shared_carveout_bytes;
  return result;
}

}  // namespace gpusim::gpu
