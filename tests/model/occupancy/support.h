// SPDX-License-Identifier: MIT
// A small launch to start from, and every launch of a coarse grid.
#pragma once

#include <string>
#include <vector>

#include "sim/model/occupancy/launch_shape.h"
#include "sim/model/stats/kernel_counts.h"

namespace gpusim::test {

inline constexpr std::uint64_t kKiB = 1024;

[[nodiscard]] inline occupancy::LaunchShape small_launch() {
  occupancy::LaunchShape shape;
  shape.threads_per_cta = 128;
  shape.registers_per_thread = 32;
  shape.barriers = 1;
  return shape;
}

/// Launches that meet every rule: odd warps, register counts beside the units of allocation, sizes beside carve-outs.
[[nodiscard]] inline std::vector<occupancy::LaunchShape> some_launches() {
  std::vector<occupancy::LaunchShape> launches;
  for (const std::uint32_t threads : {1U, 33U, 128U, 224U, 1000U, 1024U, 1025U}) {
    for (const std::uint32_t registers : {0U, 1U, 33U, 92U, 168U, 255U, 257U}) {
      for (const std::uint64_t bytes : {0UL, 1UL, 1024UL, 49152UL, 49153UL, 101376UL, 232448UL}) {
        for (const int carveout : {occupancy::kDriversCarveout, 0, 37, 100}) {
          launches.push_back(
              {registers, threads, bytes / 2, bytes - bytes / 2, carveout, threads % 3, bytes % 2 == 0, 1});
        }
      }
    }
  }
  return launches;
}

[[nodiscard]] inline std::string names(const std::vector<stats::Limiter>& limiters) {
  std::string text;
  for (const stats::Limiter limiter : limiters) {
    text += (text.empty() ? "" : "|") + std::string(stats::kLimiterNames[static_cast<std::size_t>(limiter)]);
  }
  return text;
}

}  // namespace gpusim::test
