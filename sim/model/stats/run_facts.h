// SPDX-License-Identifier: MIT
// What a run was of, on which machine, what it rests on, and what it took.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sim/base/cache_state.h"
#include "sim/base/source_kind.h"
#include "sim/base/trace_origin.h"
#include "sim/model/isa/instr.h"
#include "sim/model/stats/noc_counters.h"

namespace gpusim::stats {

/// By kNocLevels; 0: none is simulated.
using NocPorts = std::array<std::uint32_t, kNocLevels.size()>;

/// Peaks of the machine at the simulated clock, for speed of light and roofline.
struct MachineLimits {
  std::uint32_t sms = 0;
  std::uint32_t sub_cores_per_sm = 0;
  std::uint32_t l2_slices = 0;
  std::uint32_t dram_channels = 0;
  std::optional<NocPorts> noc_ports;  ///< nothing: saved by a version that did not count them
  double dram_bytes_per_second = 0;
  double dram_activates_per_second = 0;  ///< all channels; 0: DRAM has no rows
  double l2_bytes_per_cycle = 0;         ///< all slices
  double l1_bytes_per_cycle = 0;         ///< one SM
  double shared_bytes_per_cycle = 0;     ///< one SM
  std::uint32_t lsu_lanes = 0;  ///< that one SM's load/store unit takes a cycle; 0: saved by a version that did not say
  std::array<double, isa::kFlopClasses> flops_per_cycle_sm{};  ///< dense peak of one SM, by class
};

struct GuessedValue {
  std::string key;
  std::string value;
  SourceKind kind = SourceKind::kGuess;  ///< or kInferred
  std::string source;
};

/// What the host spent; the only part that differs from run to run.
struct HostCost {
  double seconds = 0;
  unsigned threads = 1;
  std::uint64_t peak_rss_bytes = 0;
};

/// The value of a trace's parameter: a number, or the word that the trace calls it.
struct ParameterValue {
  ParameterValue(std::int64_t value) : number(value) {}
  ParameterValue(std::int64_t value, std::string called) : number(value), word(std::move(called)) {}
  std::int64_t number;
  std::string word;  ///< empty: the number
  [[nodiscard]] std::string text() const { return word.empty() ? std::to_string(number) : word; }
};

struct RunFacts {
  bool complete = true;
  bool stopped_after_watch = false;  ///< not complete because the cycles watched had passed, and nobody wanted more
  std::string stopped_at_limit;      ///< not complete because a kernel met SimulateOptions::max_cycles, in words
  std::string arch_name;
  std::string arch_path;
  std::string compute_capability;  ///< "9.0"; empty in results of earlier versions
  std::string trace_path;
  TraceOrigin trace_origin = TraceOrigin::kProgram;
  std::string trace_title;
  std::vector<std::pair<std::string, ParameterValue>> parameters;
  CacheState cache_state = CacheState::kWarm;
  double sm_clock_mhz = 0;
  double memory_clock_mhz = 0;
  MachineLimits machine;
  std::vector<std::string> warnings;
  std::vector<GuessedValue> guesses;  ///< what the run rests on, those that weigh most first
  HostCost host;
};

}  // namespace gpusim::stats
