// SPDX-License-Identifier: MIT
// The two clocks of a GPU as its own threads see them: the SM's cycles and the time of day.
#pragma once

#include <cstdint>

#include "tools/silicon/host/measurement.h"

namespace gpusim::silicon {

/// Nanoseconds; ticks coarsely (32 ns to 1 us, by generation), the same on every SM.
__device__ inline std::uint64_t global_nanoseconds() {
  std::uint64_t ns;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(ns)::"memory");
  return ns;
}

/// Cycles of this SM; not comparable between SMs. A compiler barrier on both sides. All 64 bits, because that is one
/// instruction (CS2R) of fixed latency, while the low half alone may become one of variable latency.
__device__ inline std::uint64_t sm_cycles() {
  std::uint64_t cycles;
  asm volatile("mov.u64 %0, %%clock64;" : "=l"(cycles)::"memory");
  return cycles;
}

__device__ inline std::uint32_t sm_id() {
  std::uint32_t id;
  asm volatile("mov.u32 %0, %%smid;" : "=r"(id));
  return id;
}

/// Both clocks at one moment. A kernel that runs for 100 us or more writes one at its start and one at its end, from
/// one thread; their quotient is the SM clock during the kernel, which for a kernel limited by power is the only one
/// worth having.
struct Stamp {
  std::uint64_t cycles = 0;
  std::uint64_t nanoseconds = 0;
};

__device__ inline Stamp stamp() {
  return {sm_cycles(), global_nanoseconds()};
}

inline double mhz_between(const Stamp& begin, const Stamp& end) {
  return 1e3 * static_cast<double>(end.cycles - begin.cycles) /
         static_cast<double>(end.nanoseconds - begin.nanoseconds);
}

}  // namespace gpusim::silicon
