// SPDX-License-Identifier: MIT
// What occupancy asks about a launch.
#pragma once

#include <cstdint>

#include "sim/base/types.h"

namespace gpusim::trace {
struct Kernel;
}  // namespace gpusim::trace

namespace gpusim::occupancy {

/// The driver picks the carve-out: the smallest that costs no CTA.
inline constexpr int kDriversCarveout = -1;

struct LaunchShape {
  std::uint32_t registers_per_thread = 0;  ///< 0: registers are not a limit
  std::uint32_t threads_per_cta = 0;
  std::uint64_t static_shared_bytes = 0;  ///< both without the driver's reserve
  std::uint64_t dynamic_shared_bytes = 0;
  int carveout_percent = kDriversCarveout;  ///< else 0 to 100, of the largest
  std::uint32_t barriers = 0;               ///< named barriers a CTA uses; 0: barriers are not a limit
  bool opt_in = true;                       ///< may have the GPU's most shared memory, not only the default's
  std::uint32_t ctas_per_cluster = 1;
  friend bool operator==(const LaunchShape&, const LaunchShape&) = default;

  [[nodiscard]] std::uint32_t warps_per_cta() const {
    return threads_per_cta / kWarpLanes + (threads_per_cta % kWarpLanes != 0);
  }
  [[nodiscard]] std::uint64_t shared_bytes() const { return static_shared_bytes + dynamic_shared_bytes; }
};

/// Whether there is an answer: a CTA has threads, and a carve-out is the driver's or 0 to 100 %. (A launch that fits no
/// SM is valid, and its answer is 0.)
[[nodiscard]] constexpr bool is_valid(const LaunchShape& shape) {
  constexpr int kAll = 100;
  return shape.threads_per_cta > 0 && shape.carveout_percent >= kDriversCarveout && shape.carveout_percent <= kAll;
}

/// How the simulator launches a kernel: opted in, with the driver's carve-out.
[[nodiscard]] LaunchShape launch_shape(const trace::Kernel& kernel);

}  // namespace gpusim::occupancy
