// SPDX-License-Identifier: MIT
// How many CTAs of a launch fit an SM, and which resource says so: NVIDIA's occupancy rules for compute capability 7.0
// and later, restated (docs/occupancy.md). The CTA dispatcher and `gpusim occupancy` ask the same function.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/model/stats/occupancy.h"

namespace gpusim::arch {
struct NocConfig;
struct SharedMemoryConfig;
struct SmConfig;
}  // namespace gpusim::arch

namespace gpusim::occupancy {

struct LaunchShape;

struct Residency {
  stats::Occupancy occupancy;              ///< ctas_per_sm is 0 when not even one CTA fits
  std::uint64_t registers_per_cta = 0;     ///< allocated
  std::uint64_t shared_bytes_per_cta = 0;  ///< allocated, the driver's reserve included
};

/// How many CTAs of a valid shape an SM holds. If the driver chooses the carve-out, the reported one is the smallest
/// that does not lower the number of CTAs, as the driver is observed to choose; the rest of the unified memory is L1.
[[nodiscard]] Residency residency(const arch::SmConfig& sm, const LaunchShape& shape);

/// The most shared memory a CTA of the launch may have, in bytes.
[[nodiscard]] std::uint64_t shared_ceiling(const arch::SharedMemoryConfig& shared, const LaunchShape& shape);

/// A limit that not even one CTA meets.
struct Excess {
  stats::Limiter limiter = stats::Limiter::kWarps;
  std::string what;   ///< "a CTA of 1,025 threads"
  std::string limit;  ///< "at most 1,024 threads a CTA"
  std::uint64_t over = 0;
  std::string unit;  ///< unit of `over`: "thread"
};

/// Why nothing fits; empty when something does.
[[nodiscard]] std::vector<Excess> excesses(const arch::SmConfig& sm, const LaunchShape& shape);

/// Clusters of the launch that the whole GPU holds at once: a cluster lies within one GPC.
[[nodiscard]] std::uint64_t resident_clusters(const arch::SmConfig& sm, const arch::NocConfig& noc,
                                              const LaunchShape& shape);

}  // namespace gpusim::occupancy
