// SPDX-License-Identifier: MIT
// How many ports each level of the network has, and how wide they are.
#pragma once

#include <array>
#include <cstdint>

#include "sim/model/stats/noc_counters.h"

namespace gpusim::arch {
struct Arch;
}  // namespace gpusim::arch

namespace gpusim::gpu {

struct LevelPorts {
  std::uint32_t count = 0;  ///< 0: none are simulated
  std::uint32_t bytes_per_cycle = 0;
};

/// By stats::kNocLevels.
[[nodiscard]] std::array<LevelPorts, stats::kNocLevels.size()> noc_ports(const arch::Arch& arch);

}  // namespace gpusim::gpu
