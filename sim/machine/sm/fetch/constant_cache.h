// SPDX-License-Identifier: MIT
// Constant caches: one per sub-core for the operands c[bank][offset] of instructions, one per SM for LDC; behind both
// the L1 that they share with instructions. As there, a line that is asked for is told at once when it will be there.
// Owns the tags of all these caches, and their counters.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "sim/base/prefetch.h"
#include "sim/base/types.h"
#include "sim/machine/lower/kernel_image.h"
#include "sim/machine/sm/fetch/instruction_cache.h"
#include "sim/machine/sm/fetch/line_cache.h"
#include "sim/model/stats/counters.h"

namespace gpusim::arch {
struct SmConfig;
}  // namespace gpusim::arch

namespace gpusim::sm {

class ConstantCaches {
 public:
  /// `lines`: those that the kernel names; WarpOp::constant - 1 is an index of it.
  ConstantCaches(const arch::SmConfig& config, std::span<const lower::ConstantLine> lines, InstructionL1& l1);

  /// An instruction with the operand WarpOp::constant is about to issue. Returns from when it can; `now` when it hits.
  Cycle operand(std::uint32_t sub_core, std::uint16_t constant, Cycle now) {
    const Cycle arrival = look_up(operands_[sub_core], constant, now, operand_latency_);
    ++counters_.operand_lookups;
    ++(arrival == now ? counters_.operand_hits : counters_.operand_misses);
    return arrival;
  }
  /// An LDC reads at `now`. Returns from when it can.
  Cycle load(std::uint16_t constant, Cycle now) {
    const Cycle arrival = look_up(loads_, constant, now, load_latency_);
    ++counters_.load_lookups;
    ++(arrival == now ? counters_.load_hits : counters_.load_misses);
    return arrival;
  }

  /// For the host's speed alone.
  void prefetch() const { gpusim::prefetch(operands_); }

  [[nodiscard]] const stats::ConstantCounters& counters() const { return counters_; }

 private:
  Cycle look_up(LineCache& cache, std::uint16_t constant, Cycle now, std::uint32_t latency) {
    const lower::ConstantLine& line = lines_[constant - 1U];
    const Cycle there = cache.use(line.number);
    return there != kNever ? std::max(now, there) : fetch(cache, line, now, latency);
  }
  Cycle fetch(LineCache& cache, const lower::ConstantLine& line, Cycle now, std::uint32_t latency);

  std::span<const lower::ConstantLine> lines_;
  InstructionL1& l1_;
  std::uint32_t operand_latency_;  ///< cycles of a miss that hits in L1
  std::uint32_t load_latency_;
  std::vector<LineCache> operands_;  ///< by sub-core
  LineCache loads_;
  stats::ConstantCounters counters_;
};

}  // namespace gpusim::sm
