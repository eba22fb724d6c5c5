// SPDX-License-Identifier: MIT
// How a sub-core chooses a warp and reads its registers: a part of arch.h.
#pragma once

#include <cstdint>

#include "sim/model/arch/words.h"

namespace gpusim::policy {
enum class WarpPolicy : std::uint8_t;
}  // namespace gpusim::policy

namespace gpusim::arch {

struct SchedulerConfig {
  policy::WarpPolicy policy{};
  std::uint32_t active_warps = 0;  ///< warps of a sub-core that may issue, where the policy takes the number
  friend bool operator==(const SchedulerConfig&, const SchedulerConfig&) = default;
};

/// A sub-core's registers: two banks (even and odd registers), one read and one write port each.
struct RegisterFileConfig {
  RegisterFileModel model{};
  std::uint32_t read_window = 0;  ///< cycles a fixed-latency instruction has for its reads
  friend bool operator==(const RegisterFileConfig&, const RegisterFileConfig&) = default;
};

}  // namespace gpusim::arch
