// SPDX-License-Identifier: MIT
#include "sim/model/occupancy/residency.h"

#include <algorithm>
#include <limits>

#include "sim/base/rounding.h"
#include "sim/base/text.h"
#include "sim/model/arch/noc_config.h"
#include "sim/model/arch/sm_config.h"
#include "sim/model/occupancy/launch_shape.h"
#include "sim/model/trace/kernel.h"

namespace gpusim::occupancy {
namespace {

using stats::Limiter;

constexpr std::uint32_t kUnlimited = std::numeric_limits<std::uint32_t>::max();
/// NVIDIA's calculator lets 256 pass; the instruction set names 255.
constexpr std::uint32_t kMostRegistersPerThread = 256;

std::uint64_t registers_per_warp(const arch::Limits& limits, const LaunchShape& shape) {
  return round_up(std::uint64_t{shape.registers_per_thread} * kWarpLanes, limits.register_allocation_unit);
}

/// What a launch is checked against: as if each sub-core had as many warps of the CTA as the fullest.
std::uint64_t registers_when_spread(const arch::SmConfig& sm, const LaunchShape& shape) {
  return registers_per_warp(sm.limits, shape) * round_up<std::uint64_t>(shape.warps_per_cta(), sm.sub_cores);
}

std::uint64_t shared_allocation(const arch::SharedMemoryConfig& shared, const LaunchShape& shape) {
  return round_up(shape.shared_bytes() + shared.reserved_per_cta, shared.allocation_unit);
}

/// The smallest carve-out that holds so many bytes; the largest where none does.
std::uint64_t carveout_for(const arch::SharedMemoryConfig& shared, std::uint64_t bytes) {
  const auto it = std::lower_bound(shared.carveouts.begin(), shared.carveouts.end(), bytes);
  return it == shared.carveouts.end() ? shared.carveouts.back() : *it;
}

/// The shared memory that CTAs divide among themselves. A preference that is too small for one CTA gives way to the
/// smallest carve-out that is not.
std::uint64_t capacity(const arch::SharedMemoryConfig& shared, const LaunchShape& shape, std::uint64_t allocation) {
  constexpr std::uint64_t kAll = 100;
  const std::uint64_t largest = shared.carveouts.back();
  if (shape.carveout_percent == kDriversCarveout) {
    return largest;
  }
  const std::uint64_t wanted = static_cast<std::uint64_t>(shape.carveout_percent) * largest / kAll;
  return carveout_for(shared, std::max(wanted, allocation));
}

std::uint32_t warp_limit(const arch::Limits& limits, const LaunchShape& shape) {
  return shape.threads_per_cta > limits.threads_per_cta ? 0 : limits.warps_per_sm / shape.warps_per_cta();
}

/// The register file is not one pool but one per sub-core, so whole warps must fit each.
std::uint32_t register_limit(const arch::SmConfig& sm, const LaunchShape& shape) {
  if (shape.registers_per_thread == 0) {
    return kUnlimited;
  }
  if (shape.registers_per_thread > kMostRegistersPerThread ||
      registers_when_spread(sm, shape) > sm.limits.registers_per_cta) {
    return 0;
  }
  const std::uint64_t warps_per_sub_core =
      sm.limits.registers_per_sm / sm.sub_cores / registers_per_warp(sm.limits, shape);
  return static_cast<std::uint32_t>(warps_per_sub_core * sm.sub_cores / shape.warps_per_cta());
}

std::uint32_t shared_limit(const arch::SharedMemoryConfig& shared, const LaunchShape& shape) {
  const std::uint64_t allocation = shared_allocation(shared, shape);
  if (allocation == 0) {
    return kUnlimited;
  }
  if (allocation > shared_ceiling(shared, shape) + shared.reserved_per_cta) {
    return 0;
  }
  return static_cast<std::uint32_t>(capacity(shared, shape, allocation) / allocation);
}

std::uint32_t barrier_limit(const arch::Limits& limits, const LaunchShape& shape) {
  return limits.barriers_per_sm == 0 || shape.barriers == 0 ? kUnlimited : limits.barriers_per_sm / shape.barriers;
}

/// With the CTAs that a what-if grants; none more where not one fits.
std::uint32_t with_extra(const arch::Limits& limits, std::uint32_t ctas) {
  return ctas == 0 || ctas == kUnlimited ? ctas : ctas + limits.extra_ctas;
}

/// In the order of Limiter.
std::array<std::uint32_t, 5> limits_of(const arch::SmConfig& sm, const LaunchShape& shape) {
  return {warp_limit(sm.limits, shape), with_extra(sm.limits, register_limit(sm, shape)),
          with_extra(sm.limits, shared_limit(sm.shared, shape)), sm.limits.ctas_per_sm,
          barrier_limit(sm.limits, shape)};
}

Excess excess(const arch::SmConfig& sm, const LaunchShape& shape, Limiter limiter) {
  const auto named = [limiter](std::string what, const std::string& allowed_of, std::uint64_t wanted,
                               std::uint64_t allowed, const std::string& unit) {
    return Excess{limiter, std::move(what), "at most " + with_thousands(allowed) + " " + unit + "s" + allowed_of,
                  wanted - std::min(wanted, allowed), unit};
  };
  const std::string threads = with_thousands(shape.threads_per_cta) + " threads";
  const std::string registers = with_thousands(shape.registers_per_thread) + " registers a thread";
  switch (limiter) {
    case Limiter::kWarps:
      return named("a CTA of " + threads, " a CTA", shape.threads_per_cta, sm.limits.threads_per_cta, "thread");
    case Limiter::kRegisters:
      if (shape.registers_per_thread > kMostRegistersPerThread) {
        return named(registers, " a thread", shape.registers_per_thread, kMostRegistersPerThread, "register");
      }
      return named(registers + " times " + threads, " a CTA", registers_when_spread(sm, shape),
                   sm.limits.registers_per_cta, "register");
    case Limiter::kSharedMem:
      return named(with_thousands(shape.shared_bytes()) + " bytes of shared memory", " a CTA", shape.shared_bytes(),
                   shared_ceiling(sm.shared, shape), "byte");
    case Limiter::kBarriers:
      return named(with_thousands(shape.barriers) + " barriers", " an SM", shape.barriers, sm.limits.barriers_per_sm,
                   "barrier");
    case Limiter::kBlocks: break;
  }
  return named("a CTA", " an SM", 1, sm.limits.ctas_per_sm, "CTA");
}

}  // namespace

LaunchShape launch_shape(const trace::Kernel& kernel) {
  LaunchShape shape;
  shape.registers_per_thread = kernel.registers_per_thread;
  shape.threads_per_cta = kernel.threads_per_cta();
  shape.static_shared_bytes = kernel.shared_static_bytes;
  shape.dynamic_shared_bytes = kernel.shared_dynamic_bytes;
  shape.barriers = kernel.barriers;
  shape.ctas_per_cluster = kernel.ctas_per_cluster();
  return shape;
}

std::uint64_t shared_ceiling(const arch::SharedMemoryConfig& shared, const LaunchShape& shape) {
  return shape.opt_in ? shared.max_per_cta : shared.max_per_cta_default;
}

Residency residency(const arch::SmConfig& sm, const LaunchShape& shape) {
  Residency result;
  stats::Occupancy& occupancy = result.occupancy;
  result.registers_per_cta = registers_per_warp(sm.limits, shape) * shape.warps_per_cta();
  result.shared_bytes_per_cta = shared_allocation(sm.shared, shape);
  occupancy.warps_per_cta = shape.warps_per_cta();
  occupancy.max_warps_per_sm = sm.limits.warps_per_sm;
  occupancy.limit = limits_of(sm, shape);
  occupancy.ctas_per_sm = *std::min_element(occupancy.limit.begin(), occupancy.limit.end());
  for (std::size_t i = 0; i < occupancy.limit.size(); ++i) {
    if (occupancy.limit[i] == occupancy.ctas_per_sm) {
      occupancy.limiters.push_back(static_cast<Limiter>(i));
    }
  }
  occupancy.shared_carveout_bytes = shape.carveout_percent == kDriversCarveout
                                        ? carveout_for(sm.shared, result.shared_bytes_per_cta * occupancy.ctas_per_sm)
                                        : capacity(sm.shared, shape, result.shared_bytes_per_cta);
  occupancy.l1_bytes = sm.l1.unified_bytes - occupancy.shared_carveout_bytes;
  return result;
}

std::vector<Excess> excesses(const arch::SmConfig& sm, const LaunchShape& shape) {
  std::vector<Excess> found;
  const std::array<std::uint32_t, 5> limits = limits_of(sm, shape);
  for (std::size_t i = 0; i < limits.size(); ++i) {
    if (limits[i] == 0) {
      found.push_back(excess(sm, shape, static_cast<Limiter>(i)));
    }
  }
  return found;
}

std::uint64_t resident_clusters(const arch::SmConfig& sm, const arch::NocConfig& noc, const LaunchShape& shape) {
  std::vector<std::uint64_t> sms_of_gpc(noc.gpcs);
  for (std::uint32_t i = 0; i < sm.count; ++i) {
    ++sms_of_gpc[noc.gpc_of_sm(i, sm.count)];
  }
  const std::uint64_t ctas_per_sm = residency(sm, shape).occupancy.ctas_per_sm;
  std::uint64_t clusters = 0;
  for (const std::uint64_t sms : sms_of_gpc) {
    clusters += sms * ctas_per_sm / shape.ctas_per_cluster;
  }
  return clusters;
}

}  // namespace gpusim::occupancy
