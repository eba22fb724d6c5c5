// SPDX-License-Identifier: MIT
// A measured value and the simulation that should give it: the one schema of everything measured. Plain values;
// case_file.h reads them, run.h simulates them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/base/cache_state.h"
#include "sim/base/problem.h"

namespace gpusim::validate {

/// How far a measured value can be trusted. Low (a note of doubt, loop overhead, a conflict of sources): shown, never
/// counted.
enum class Confidence : std::uint8_t { kLow, kMedium, kHigh };
inline constexpr std::string_view kConfidenceNames[] = {"low", "medium", "high"};

/// What sources say: one value, or the least and the greatest where they differ.
struct Measured {
  double low = 0;
  double high = 0;
  [[nodiscard]] bool is_range() const { return low != high; }
  /// The measured value that is nearest to a simulated one.
  [[nodiscard]] double nearest(double simulated) const {
    return simulated < low ? low : simulated > high ? high : simulated;
  }
};

/// How far the simulated value may be off before a case is missed.
struct Tolerance {
  double value = 0;         ///< infinity: none is asked for
  bool is_percent = false;  ///< true when it is a percentage of the measured value; else it has the case's unit
};

using NamedText = std::pair<std::string, std::string>;

struct Case {
  std::string id;
  std::string suite;
  std::string mechanism;       ///< what of the machine it shows: docs/validation/ has a table for each
  std::string kind;            ///< what sort of kernel was measured, "transpose"; empty for a micro benchmark
  std::string missing;         ///< the mechanism that is believed to be missing where the kernel is off
  std::string gpu;             ///< as its source calls it; empty when `arch` was given instead
  std::string arch;            ///< an architecture file, by name or path; empty when none describes the GPU
  std::vector<NamedText> set;  ///< overrides of that architecture

  // What is run: one of the two; neither where nobody has written it yet, and `make` tells what it would have to do.
  std::string trace;               ///< a trace, by name or path
  std::vector<NamedText> params;   ///< parameters of the trace
  std::string program;             ///< lines of the trace language (program.h)
  SourceLocation program_at;       ///< place of the program's first line
  std::uint32_t program_step = 1;  ///< lines of the file that a line of the program takes: 0 for text on one line
  std::uint32_t warps = 1;         ///< warps of a CTA of the program
  std::uint32_t ctas = 1;          ///< CTAs of the program
  std::string make;
  std::vector<NamedText> estimate;  ///< in place of a simulation: what is calculated (estimate.h), by key
  std::vector<Case> relative_to;    ///< at most one: what else is run; the case's value is then divided by its value
  std::vector<Case> less;           ///< what else is run; its value is taken from the case's value
  std::vector<Case> plus;           ///< what else is run; its value is added to the case's value
  double per = 0;                   ///< the value is divided by it, unless 0
  double rate_of = 0;               ///< it is divided by the value, unless 0
  bool slow = false;                ///< takes minutes: run on request only

  std::string metric;  ///< a row of metric.h, or a number of the result's JSON
  std::string of;      ///< marks of the program that a metric wants
  std::string from;
  std::string to;
  Measured measured;
  std::string measured_word;  ///< where the metric is a word; `measured` then has its number (metric.h)
  std::string unit;
  double clock_mhz = 0;      ///< clock of the measurement; 0: that of the architecture, or its boost if unlocked
  bool is_unlocked = false;  ///< nobody locked the card: simulated at the sustained clock, at most clock_mhz
  CacheState cache = CacheState::kWarm;
  std::string source;
  Confidence confidence = Confidence::kLow;
  bool counted = false;
  Tolerance tolerance;
  std::string note;
  SourceLocation where;           ///< place of the case, for messages
  std::vector<Problem> refusals;  ///< what is wrong with the case of a kernel, which is then not run

  [[nodiscard]] bool can_run() const { return (!arch.empty() || is_estimate()) && make.empty() && refusals.empty(); }
  [[nodiscard]] bool is_estimate() const { return !estimate.empty(); }
  [[nodiscard]] bool is_kernel() const { return !kind.empty(); }
  [[nodiscard]] bool is_word() const { return !measured_word.empty(); }
};

}  // namespace gpusim::validate
