// SPDX-License-Identifier: MIT
// What stored points teach, for `gpusim sweep show`: pure functions from rows to findings, and from those to text for
// people, JSON, CSV and a page. No database, no files.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sim/commands/sweep/analysis/cost.h"
#include "sim/commands/sweep/analysis/findings.h"
#include "sim/commands/sweep/analysis/group.h"
#include "sim/commands/sweep/store/point.h"
#include "sim/output/text/layout.h"

namespace gpusim::sweep {

struct Question {
  std::string metric = "time_us";
  std::string cost;            ///< a formula; empty: none
  bool cost_is_price = false;  ///< the cost is USD an hour
  std::size_t top = 10;
  double knee_share = kKneeShare;
  TextPairs at;                    ///< keys that the slices are to go through
  KeySource source;                ///< gives the values of keys that were not varied
  std::size_t other_programs = 0;  ///< points that are not among the rows because another program computed them
  std::size_t missing = 0;         ///< points that were asked for and are not among the rows because they have not run
};

/// One trace on one architecture.
struct GroupAnalysis {
  Group group;
  std::size_t centre = 0;
  std::vector<Sensitivity> sensitivities;
  std::vector<Scaling> scalings;
  std::vector<BoundCrossover> bound_crossovers;
};

/// The best of an architecture.
struct RankedGpu {
  std::size_t row = 0;
  double value = 0;
  std::optional<double> cost;
  std::optional<double> spent;           ///< cost x time_us: what a run costs, but for a factor
  std::optional<double> spent_relative;  ///< over the least of the GPUs; nothing when that is not above zero
  std::size_t spent_rank = 0;            ///< from 1, by what is spent; 0 without a cost
};

/// What a million runs of a kernel cost at a price of USD an hour.
[[nodiscard]] inline double usd_a_million_runs(double usd_per_hour, double time_us) {
  constexpr double kSecondsAnHour = 3600;
  return usd_per_hour * time_us / kSecondsAnHour;  // a million runs of so many microseconds take so many seconds
}

/// All architectures with one trace.
struct TraceAnalysis {
  std::string trace;
  std::vector<std::size_t> order;  ///< rows, the best first; among equals as they were asked for
  std::vector<RankedGpu> gpus;     ///< the best point of each architecture, the best first; empty for one alone
  std::vector<Costed> costed;      ///< rows with a cost
  std::vector<Costed> front;       ///< the Pareto front of these
};

/// Points that ended alike without a result.
struct Trouble {
  std::string status;
  std::string reason;
  std::vector<std::size_t> rows;
};

struct Analysis {
  std::span<const PointRow> rows;  ///< must live as long
  Metric metric;
  std::size_t top = 0;
  double knee_share = kKneeShare;
  std::string cost;
  bool cost_is_price = false;
  std::vector<std::string> parameters;  ///< keys that occur in the rows, in their order
  std::size_t done = 0;
  std::size_t failed = 0;
  std::size_t skipped = 0;
  std::size_t other_programs = 0;  ///< points left out
  std::size_t missing = 0;         ///< points that have not run
  std::vector<Trouble> troubles;
  std::vector<GroupAnalysis> groups;
  std::vector<TraceAnalysis> traces;
  std::vector<std::optional<double>> costs;  ///< by row; empty when none was asked for
  std::vector<WithoutCost> without_cost;
};

/// Throws InputError: an unknown metric, a formula that cannot be read, a key that nothing has.
[[nodiscard]] Analysis analyse(std::span<const PointRow> rows, const Question& question);

[[nodiscard]] std::string to_text(const Analysis& analysis, const layout::Look& look);
/// Schema gpusim.sweep/1.
[[nodiscard]] std::string to_json(const Analysis& analysis);
/// One line per point, the first with the names of the columns (RFC 4180).
[[nodiscard]] std::string to_csv(const Analysis& analysis);
/// JSON for html::sweep_page(): all points as one table, the columns that tell them apart, and the findings as tables.
[[nodiscard]] std::string to_page_table(const Analysis& analysis);

}  // namespace gpusim::sweep
