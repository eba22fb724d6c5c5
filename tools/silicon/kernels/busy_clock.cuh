// SPDX-License-Identifier: MIT
// The SM clock while a kernel runs, which for a kernel limited by power is lower than before and after it.
#pragma once

#include "tools/silicon/device/buffer.cuh"
#include "tools/silicon/device/clock.cuh"

namespace gpusim::silicon {

/// Sums, over all CTAs, of what both clocks advanced between their begin and end. A CTA's own interval is short against
/// the ticks of the timer, but thousands of them begin anywhere between two ticks. Kept as end minus begin modulo 2^64,
/// so that a kernel holds no registers for it.
class BusyClock {
 public:
  void reset() { totals_.fill(Input::Zero); }
  [[nodiscard]] Stamp* get() const { return totals_.get(); }
  [[nodiscard]] Clock read() const { return {mhz_between({}, totals_.to_host()[0]), 0}; }

 private:
  Buffer<Stamp> totals_{1};
};

__device__ __forceinline__ void add_to(Stamp* totals, std::uint64_t cycles, std::uint64_t nanoseconds) {
  static_assert(sizeof(unsigned long long) == sizeof(std::uint64_t));
  atomicAdd(reinterpret_cast<unsigned long long*>(&totals->cycles), cycles);
  atomicAdd(reinterpret_cast<unsigned long long*>(&totals->nanoseconds), nanoseconds);
}

/// The first and the last thing a kernel does.
__device__ __forceinline__ void busy_begin(Stamp* totals) {
  if (threadIdx.x == 0) {
    const Stamp now = stamp();
    add_to(totals, 0 - now.cycles, 0 - now.nanoseconds);
  }
}
__device__ __forceinline__ void busy_end(Stamp* totals) {
  if (threadIdx.x == 0) {
    const Stamp now = stamp();
    add_to(totals, now.cycles, now.nanoseconds);
  }
}

}  // namespace gpusim::silicon
