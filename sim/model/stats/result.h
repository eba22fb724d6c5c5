// SPDX-License-Identifier: MIT
// Every number of one run. Reports are functions of a Result and see nothing else; they know no machine.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "sim/base/types.h"
#include "sim/model/isa/instr.h"
#include "sim/model/isa/timing.h"
#include "sim/model/stats/counters.h"
#include "sim/model/stats/dram_counters.h"
#include "sim/model/stats/local_counters.h"
#include "sim/model/stats/pc_profile.h"
#include "sim/model/stats/stall.h"
#include "sim/model/stats/tlb_counters.h"

namespace gpusim::stats {

/// What bounds a kernel; the same words in reports and sweeps.
enum class Bound : std::uint8_t { kTensor, kFp, kIssue, kL1, kShared, kL2, kDram, kDramRows, kLatency, kLaunch };
inline constexpr std::array<std::string_view, 10> kBoundNames{"tensor", "fp",   "issue",     "l1",      "shared",
                                                              "l2",     "dram", "dram_rows", "latency", "launch"};

enum class Limiter : std::uint8_t { kWarps, kRegisters, kSharedMem, kBlocks, kBarriers };
inline constexpr std::array<std::string_view, 5> kLimiterNames{"warps", "registers", "shared_mem", "blocks",
                                                               "barriers"};

struct Occupancy {
  std::uint32_t ctas_per_sm = 0;
  std::uint32_t warps_per_cta = 0;
  std::uint32_t max_warps_per_sm = 0;
  std::array<std::uint32_t, 5> limit{};     ///< CTAs a SM each Limiter alone would allow; 0xffffffff: no limit
  std::vector<Limiter> limiters;            ///< those equal to the minimum
  std::uint64_t shared_carveout_bytes = 0;  ///< of the SM's unified memory
  std::uint64_t l1_bytes = 0;               ///< what is left for L1
  std::uint64_t resident_clusters = 0;      ///< that the GPU holds at once; 0: the launch has none
  [[nodiscard]] double theoretical_pct() const {
    return max_warps_per_sm == 0 ? 0.0 : 100.0 * ctas_per_sm * warps_per_cta / max_warps_per_sm;
  }
};

/// One static instruction's share of the run; its producers most cycles first, then by producer.
struct PcResult : PcProfile {
  std::uint64_t pc = 0;    ///< byte address
  std::uint32_t line = 0;  ///< of the trace file; 0 unknown
  std::string opcode;
  std::string text;
};

/// Peaks of the machine at the simulated clock, for speed of light and roofline.
struct MachineLimits {
  std::uint32_t sms = 0;
  std::uint32_t sub_cores_per_sm = 0;
  std::uint32_t l2_slices = 0;
  std::uint32_t dram_channels = 0;
  double dram_bytes_per_second = 0;
  double dram_activates_per_second = 0;                        ///< all channels; 0: DRAM has no rows
  double l2_bytes_per_cycle = 0;                               ///< all slices
  double l1_bytes_per_cycle = 0;                               ///< one SM
  double shared_bytes_per_cycle = 0;                           ///< one SM
  std::array<double, isa::kFlopClasses> flops_per_cycle_sm{};  ///< dense peak of one SM, by class
};

struct KernelResult {
  std::string name;
  Dim3 grid;
  Dim3 block;
  Dim3 cluster;
  std::uint32_t registers_per_thread = 0;
  std::uint64_t shared_bytes_per_cta = 0;
  std::uint64_t local_bytes_per_thread = 0;
  std::uint64_t simulated_ctas = 0;  ///< fewer than the grid with --ctas
  Cycle cycles = 0;                  ///< first CTA sent to last warp drained and last atomic done
  double launch_us = 0;              ///< before the first CTA; not in cycles
  std::string l2_window;             ///< what its access policy window asks of L2, in words; empty: it has none
  bool dependences_recorded = false;
  std::string divergence;  ///< who decided which lanes run together: "its", "stack", or "recorded"
  Occupancy occupancy;
  StallCycles stalls{};
  SmCounters sm;
  FetchCounters fetch;
  ConstantCounters constant;
  L1Counters l1;
  LocalCounters local;
  DsmemCounters dsmem;
  TlbCounters tlb;
  L2Counters l2;
  DramCounters dram;
  std::array<std::uint64_t, isa::kPipes> pipe_instructions{};
  /// Pipe-busy cycles summed over sub-cores (memory and other shared pipes: issue slots taken).
  std::array<std::uint64_t, isa::kPipes> pipe_busy_cycles{};
  std::array<std::uint64_t, isa::kFlopClasses> flops{};  ///< done by lanes whose guard is true
  std::vector<PcResult> pcs;                             ///< every static instruction, in code order
  std::vector<Cycle> sm_active_cycles;                   ///< by SM, for imbalance
};

struct GuessedValue {
  std::string key;
  std::string value;
  std::string kind;  ///< "guess" or "inferred"
  std::string source;
};

/// What the host spent; the only part that differs from run to run.
struct HostCost {
  double seconds = 0;
  unsigned threads = 1;
  std::uint64_t peak_rss_bytes = 0;
};

/// A warp's state over cycles [begin, end), for --watch and golden timelines.
struct WatchInterval {
  std::uint32_t kernel = 0;
  std::uint32_t sm = 0;
  std::uint32_t sub_core = 0;
  std::uint32_t warp_slot = 0;  ///< of the SM
  std::uint64_t cta = 0;        ///< linear
  std::uint32_t warp = 0;       ///< in its CTA
  Cycle begin = 0;
  Cycle end = 0;
  Stall state = Stall::kSelected;
  std::uint32_t pc = 0;   ///< index into KernelResult::pcs: the instruction that issues or waits to
  LaneMask lanes = 0;     ///< on its path
  LaneMask lanes_on = 0;  ///< of them, those whose guard is true
};

/// The value of a trace's parameter: a number, or the word that the trace calls it.
struct ParameterValue {
  ParameterValue(std::int64_t value) : number(value) {}
  ParameterValue(std::int64_t value, std::string called) : number(value), word(std::move(called)) {}
  std::int64_t number;
  std::string word;  ///< empty: the number
  [[nodiscard]] std::string text() const { return word.empty() ? std::to_string(number) : word; }
};

struct Result {
  bool complete = true;
  std::string arch_name;
  std::string arch_path;
  std::string trace_path;
  std::string trace_origin;  ///< "program" or "accel-sim"
  std::string trace_title;
  std::vector<std::pair<std::string, ParameterValue>> parameters;
  std::string cache_state;  ///< one of kCacheStates
  double sm_clock_mhz = 0;
  double memory_clock_mhz = 0;
  MachineLimits machine;
  std::vector<std::string> warnings;
  std::vector<GuessedValue> guesses;  ///< what the run rests on, what to doubt first first
  std::vector<KernelResult> kernels;
  std::vector<WatchInterval> watch;  ///< sorted by (kernel, sm, warp_slot, begin)
  HostCost host;
};

}  // namespace gpusim::stats
