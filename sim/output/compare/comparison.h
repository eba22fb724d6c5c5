// SPDX-License-Identifier: MIT
// Results beside each other: the first is the base, and each later one is compared with it. The comparison is a value;
// text and JSON (writers.h) lay it out, and conditions (conditions.h) read it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "sim/model/stats/run_facts.h"
#include "sim/output/compare/conditions.h"
#include "sim/output/report/columns.h"
#include "sim/output/view/line_counts.h"
#include "sim/output/view/view.h"

namespace gpusim::stats {
struct Result;
}  // namespace gpusim::stats

namespace gpusim::compare {

/// Results are called A, B, C ...
inline constexpr std::size_t kMostRuns = 26;

struct Input {
  std::string source;  ///< the file it was read from, or what was simulated
  const stats::Result* result = nullptr;
};

/// A number of one result, all its kernels together: by its formula, from sums over the kernels.
struct Total {
  const report::KernelColumn* column = nullptr;
  report::Value value;  ///< a whole number, a number, or nothing: unknown, or not the same in all kernels
};

struct Run {
  std::string name;  ///< "A"
  std::string source;
  stats::RunFacts facts;
  std::size_t launches = 0;
  std::uint64_t ctas = 0;       ///< simulated, of all launches
  std::uint64_t grid_ctas = 0;  ///< CTAs of their grids; more with --ctas, and for a run that was stopped
  std::vector<Total> totals;    ///< every column that is a number, in the order of kernel_columns()
  double time_us = 0;
  double launch_us = 0;
  stats::Bound bound = stats::Bound::kLatency;
  std::string verdict;
  std::vector<report::RoofRow> roofs;  ///< roofs of all kernels together
  double dram_bytes = 0;
};

/// Something that was set differently: an architecture, a parameter.
struct Setting {
  std::string what;
  std::string first;
  std::string second;
};

/// Warp-cycles in one state, or in all of them.
struct CycleChange {
  std::uint64_t first = 0;
  std::uint64_t second = 0;
  /// Differences of states sum to the difference of the sums.
  [[nodiscard]] std::int64_t difference() const { return static_cast<std::int64_t>(second - first); }
};
using StateChanges = std::array<CycleChange, stats::kStallCount>;

/// A line of a kernel in both results (or one instruction of unknown line). Empty: it is in the other only.
struct LineChange {
  std::optional<report::LineCounts> first;
  std::optional<report::LineCounts> second;
  CycleChange cycles;
  std::optional<stats::Stall> state;  ///< whose warp-cycles changed most; empty when none did
};

/// The launches of one name, together.
struct KernelSum {
  std::size_t launches = 0;
  double time_us = 0;
  double share_pct = 0;  ///< share of its result's time
  stats::Bound bound = stats::Bound::kLatency;
};
struct KernelChange {
  std::string name;
  KernelSum first;
  KernelSum second;
  CycleChange cycles;  ///< cycles of the GPU, not of warps
  CycleChange warp_cycles;
  StateChanges states{};
  std::vector<LineChange> lines;  ///< those whose cycles changed, most first, then the others
};
struct LoneKernel : KernelSum {
  std::string name;
};

/// A number that changed and has to do with time.
struct Cause {
  std::string key;   ///< key of docs/metrics.md, or a formula of such keys
  std::string what;  ///< "sectors for each one needed"
  std::string unit;
  double first = 0;
  double second = 0;
  bool speeds_up = false;        ///< this change alone makes the second one faster
  std::string_view served_by{};  ///< the unit that does it, "L2"; empty: none
  double served_pct = 0;         ///< how busy that unit is in the slower of both
  double weight = 0;             ///< the larger, the more it is likely to matter
};

/// A later result against the first.
struct Change {
  std::size_t second = 0;            ///< index of the later run
  std::vector<std::string> summary;  ///< what changed most, and why, in sentences
  std::vector<Setting> settings;     ///< what was set differently
  CycleChange warp_cycles;
  StateChanges states{};
  std::vector<Cause> causes;           ///< most weight first
  std::vector<KernelChange> kernels;   ///< those in both, by name; largest difference of time first
  std::vector<LoneKernel> only_first;  ///< longest first
  std::vector<LoneKernel> only_second;
};

struct Comparison {
  std::vector<Run> runs;
  std::vector<Change> changes;      ///< changes in runs[1], runs[2], ...
  std::vector<Outcome> outcomes{};  ///< outcomes of the conditions, by condition, then by run
};

/// At least two and at most kMostRuns results.
[[nodiscard]] Comparison compare(std::span<const Input> inputs);

/// Columns that are numbers: what a condition may ask for.
[[nodiscard]] const std::vector<const report::KernelColumn*>& metrics();
[[nodiscard]] std::optional<double> number(const report::Value& value);
/// The value of a whole run that `key` names; nothing when there is no such value.
[[nodiscard]] std::optional<double> total_of(const Run& run, std::string_view key);

/// FLOP/s that the roofline allows: the lower of the flat roof and of the lowest sloped one (report::lowest_roof).
[[nodiscard]] double roof_of(const report::RoofRow& row);

/// "n=4096 type=f16".
[[nodiscard]] std::string parameters_text(const stats::RunFacts& facts);

}  // namespace gpusim::compare
