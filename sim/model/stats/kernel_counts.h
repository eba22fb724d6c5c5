// SPDX-License-Identifier: MIT
// What a run counts of one kernel, without its instructions one by one.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/types.h"
#include "sim/model/isa/instr.h"
#include "sim/model/isa/timing.h"
#include "sim/model/stats/counter_blocks.h"
#include "sim/model/stats/occupancy.h"
#include "sim/model/stats/power.h"
#include "sim/model/stats/stall.h"

namespace gpusim::stats {

/// The kernel simulated again on a machine with one cost removed.
struct WhatIf {
  std::string name;                   ///< "no_bank_conflicts"
  double before_us = 0;               ///< time of the machine as it is; with the launch where the what-if is about it
  double time_us = 0;                 ///< time of the changed machine
  std::vector<std::string> findings;  ///< ids of the advice that it puts to the test
  [[nodiscard]] double gain_pct() const { return before_us > 0 ? 100.0 * (before_us - time_us) / before_us : 0.0; }
};

/// What decides which lanes of a warp run together.
enum class Divergence : std::uint8_t {
  kIts,       ///< independent thread scheduling
  kStack,     ///< a reconvergence stack
  kRecorded,  ///< the trace, which has the lanes of each instruction
  kExecuted   ///< the values that the kernel computes
};
inline constexpr std::array<std::string_view, 4> kDivergenceNames{"its", "stack", "recorded", "executed"};

/// A launch and everything that was counted of it as a whole.
struct KernelCounts : CounterBlocks {
  std::string name;
  Dim3 grid;
  Dim3 block;
  Dim3 cluster;
  std::uint32_t registers_per_thread = 0;
  std::uint64_t shared_bytes_per_cta = 0;
  std::uint64_t local_bytes_per_thread = 0;
  std::uint64_t simulated_ctas = 0;  ///< fewer than the grid with --ctas
  Cycle cycles = 0;                  ///< first CTA sent to last warp drained and last atomic done
  Cycle drained_cycles = 0;          ///< to the last message: stores go on after `cycles`; 0: not counted
  double launch_us = 0;              ///< before the kernel's begin; neither in cycles nor in its time
  double begin_end_us = 0;           ///< its begin to the first CTA, last store to its end; in its time, not in cycles
  /// What the kernel costs beside its cycles: the launch, its begin and its end.
  [[nodiscard]] double overhead_us() const { return launch_us + begin_end_us; }
  std::string l2_window;  ///< what its access policy window asks of L2, in words; empty: it has none
  bool dependences_recorded = false;
  std::optional<Divergence> divergence;  ///< nothing: saved by a version that did not say
  Occupancy occupancy;
  StallCycles stalls{};
  std::array<std::uint64_t, isa::kPipes> pipe_instructions{};
  /// Pipe-busy cycles summed over sub-cores (memory and other shared pipes: issue slots taken).
  std::array<std::uint64_t, isa::kPipes> pipe_busy_cycles{};
  std::array<std::uint64_t, isa::kFlopClasses> flops{};  ///< done by lanes whose guard is true
  PowerEstimate power;
  std::vector<Cycle> sm_active_cycles;  ///< by SM, for imbalance
  std::vector<WhatIf> advice;           ///< what-ifs that were run beside it
};

}  // namespace gpusim::stats
