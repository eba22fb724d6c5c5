// SPDX-License-Identifier: MIT
// Hands out the six dependence counters as an assembler would: results wanted by the same instruction share one, others
// get one of their own while there are any, and when there are none the sharing that costs the shortest false wait
// wins.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/machine/lower/lookahead.h"
#include "sim/model/isa/instr.h"
#include "sim/model/isa/timing.h"

namespace gpusim::lower {

/// The counters an instruction increments; isa::kNoBarrier for none.
struct IncrementedCounters {
  std::uint8_t write = isa::kNoBarrier;
  std::uint8_t read = isa::kNoBarrier;
};

/// Counters for every variable-latency instruction whose result somebody reads or overwrites (write), or whose sources
/// may be overwritten before it has read them (read). Counters that a DEPBAR of the kernel names belong to LDGDEPBAR,
/// which increments the one that the nearest DEPBAR after it names.
[[nodiscard]] std::vector<IncrementedCounters> assign_counters(const trace::Kernel& kernel,
                                                               const isa::TimingTable& timing,
                                                               const Lookahead& lookahead);

}  // namespace gpusim::lower
