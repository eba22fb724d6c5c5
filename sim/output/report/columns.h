// SPDX-License-Identifier: MIT
// The one table of every scalar a report may show: its key, unit, meaning, formula and how to get it. JSON writes and
// reads by it, CSV takes its header from it, docs/metrics.md prints it.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "sim/output/view/view.h"

namespace gpusim::report {

/// monostate: there is no such value (an occupancy limit that does not exist); null in JSON, empty in CSV.
using Value = std::variant<std::monostate, bool, std::uint64_t, double, std::string, Dim3, std::vector<std::string>>;

/// The order is that of Value's alternatives; kOptional is an integer or nothing.
enum class ValueKind : std::uint8_t { kOptional, kBool, kInteger, kReal, kText, kDim, kWords };

/// The same number as Nsight Compute names it: section and label of its details page, and its unit.
struct NcuMetric {
  std::string_view section;
  std::string_view label;
  std::string_view unit;
  double factor = 1;  ///< ours times this is in its unit
};

/// The least of a number: 0, or more than that; kMoreOfWholeRun: more, unless the run was stopped before its end.
enum class Least : std::uint8_t { kZero, kMore, kMoreOfWholeRun };

/// What a saved result may hold in a column, beyond its type.
struct Allowed {
  Least least = Least::kZero;  ///< the least that a number may be, and each of the three of a Dim3
  std::uint64_t most = std::numeric_limits<std::uint64_t>::max();  ///< the most that a whole number may be
  std::span<const std::string_view> words{};                       ///< what a text may be; empty: anything
};

/// A scalar of a `Seen` (View or KernelView), read back into the `Kept` (RunFacts or KernelCounts) that it shows.
template <class Seen, class Kept>
struct BasicColumn {
  std::string path;  ///< dotted JSON key
  ValueKind kind;
  std::string unit;
  std::string what;
  std::string formula;  ///< empty: counted or given, not derived
  std::function<Value(const Seen&)> get;
  std::function<void(Kept&, const Value&)> set;  ///< empty for derived values
  bool is_if_any = false;                        ///< JSON leaves the key out where there is no value
  bool is_later = false;                         ///< results of earlier versions lack the key
  NcuMetric ncu{};                               ///< empty: the profiler has no such metric
  Allowed allowed{};
};
using RunColumn = BasicColumn<View, stats::RunFacts>;
using KernelColumn = BasicColumn<KernelView, stats::KernelCounts>;

/// The columns of the run as a whole, in the order of the JSON.
[[nodiscard]] const std::vector<RunColumn>& run_columns();
/// The columns of one kernel.
[[nodiscard]] const std::vector<KernelColumn>& kernel_columns();

}  // namespace gpusim::report
