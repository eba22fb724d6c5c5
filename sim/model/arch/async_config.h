// SPDX-License-Identifier: MIT
// What an SM has for copies and waits that run beside its warps.
#pragma once

#include <cstdint>

namespace gpusim::arch {

/// Barriers in shared memory; what one operation takes is timing.mbarrier.latency.
struct MbarrierConfig {
  std::uint32_t try_wait_limit = 0;  ///< cycles a TRYWAIT suspends its warp before it answers that the phase goes on
  friend bool operator==(const MbarrierConfig&, const MbarrierConfig&) = default;
};

/// The engine that copies boxes of tensors between global and shared memory, one per SM.
struct TmaConfig {
  std::uint32_t queue_entries = 0;      ///< commands waiting
  std::uint32_t start_latency = 0;      ///< cycles from the load/store unit to a command's first line
  std::uint32_t interval = 0;           ///< cycles between the beginnings of two commands
  std::uint32_t lines_per_cycle = 0;    ///< lines asked for or written a cycle
  std::uint32_t outstanding_lines = 0;  ///< the most lines of loads that are outstanding at a time
  friend bool operator==(const TmaConfig&, const TmaConfig&) = default;
};

}  // namespace gpusim::arch
