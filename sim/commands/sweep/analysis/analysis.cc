// SPDX-License-Identifier: MIT
#include "sim/commands/sweep/analysis/analysis.h"

#include <algorithm>
#include <map>
#include <set>

namespace gpusim::sweep {
namespace {

std::vector<std::string> parameters_of(std::span<const PointRow> rows) {
  std::vector<std::string> keys;
  std::set<std::string_view> seen;
  for (const PointRow& row : rows) {
    for (const auto& [key, text] : row.parameters) {
      if (seen.insert(key).second) {
        keys.push_back(key);
      }
    }
  }
  return keys;
}

void count(Analysis& analysis) {
  std::map<std::pair<std::string, std::string>, std::size_t> known;
  for (std::size_t i = 0; i < analysis.rows.size(); ++i) {
    const PointRow& row = analysis.rows[i];
    if (row.status == kDone) {
      ++analysis.done;
      continue;
    }
    ++(row.status == kSkipped ? analysis.skipped : analysis.failed);
    const auto [entry, is_new] = known.try_emplace({row.status, row.reason}, analysis.troubles.size());
    if (is_new) {
      analysis.troubles.push_back({row.status, row.reason, {}});
    }
    analysis.troubles[entry->second].rows.push_back(i);
  }
}

GroupAnalysis analyse_group(Group group, const Analysis& analysis, const Question& question) {
  GroupAnalysis out{std::move(group), 0, {}, {}, {}};
  if (out.group.samples.empty()) {
    return out;
  }
  out.centre = find_centre(out.group, question.at);
  out.sensitivities = rank_sensitivities(out.group, out.centre);
  out.scalings = scalings_of(out.group, out.centre, analysis.metric, question.knee_share);
  out.bound_crossovers = find_bound_crossovers(out.group, analysis.rows);
  return out;
}

/// By what a run on them costs.
void rank_spent(std::vector<RankedGpu>& gpus) {
  std::vector<double> sorted;
  for (const RankedGpu& gpu : gpus) {
    if (gpu.spent) {
      sorted.push_back(*gpu.spent);
    }
  }
  std::ranges::sort(sorted);
  for (RankedGpu& gpu : gpus) {
    if (gpu.spent) {
      gpu.spent_rank = static_cast<std::size_t>(std::ranges::lower_bound(sorted, *gpu.spent) - sorted.begin()) + 1;
      gpu.spent_relative = sorted.front() > 0 ? std::optional(*gpu.spent / sorted.front()) : std::nullopt;
    }
  }
}

/// The best point of each architecture.
std::vector<RankedGpu> rank_gpus(const TraceAnalysis& trace, const Analysis& analysis) {
  std::vector<RankedGpu> gpus;
  std::set<std::string_view> seen;
  for (const std::size_t row : trace.order) {
    if (seen.insert(analysis.rows[row].arch).second) {
      const std::optional<double> cost = analysis.costs.empty() ? std::nullopt : analysis.costs[row];
      const std::optional<double> spent = cost ? std::optional(*cost * analysis.rows[row].time_us) : std::nullopt;
      gpus.push_back({row, *metric_of(analysis.rows[row], analysis.metric.name), cost, spent, std::nullopt, 0});
    }
  }
  if (gpus.size() < 2) {
    return {};
  }
  rank_spent(gpus);
  return gpus;
}

TraceAnalysis analyse_trace(const std::string& name, const Analysis& analysis) {
  TraceAnalysis out{name, {}, {}, {}, {}};
  std::vector<std::pair<double, std::size_t>> values;
  for (const GroupAnalysis& group : analysis.groups) {
    for (const Sample& sample : group.group.samples) {
      if (group.group.trace == name) {
        values.emplace_back(analysis.metric.more_is_better ? -sample.value : sample.value, sample.row);
      }
    }
  }
  std::ranges::sort(values);
  for (const auto& [value, row] : values) {
    out.order.push_back(row);
    if (!analysis.costs.empty() && analysis.costs[row]) {
      out.costed.push_back({row, *analysis.costs[row], analysis.metric.more_is_better ? -value : value});
    }
  }
  out.gpus = rank_gpus(out, analysis);
  out.front = pareto_front(out.costed, analysis.metric);
  return out;
}

}  // namespace

Analysis analyse(std::span<const PointRow> rows, const Question& question) {
  Analysis analysis;
  analysis.rows = rows;
  analysis.metric = find_metric(question.metric, rows);
  analysis.top = question.top;
  analysis.knee_share = question.knee_share;
  analysis.cost = question.cost;
  analysis.cost_is_price = question.cost_is_price;
  analysis.parameters = parameters_of(rows);
  analysis.other_programs = question.other_programs;
  analysis.missing = question.missing;
  count(analysis);
  if (!question.cost.empty()) {
    Costs costs = costs_of(rows, question.cost, question.source);
    analysis.costs = std::move(costs.by_row);
    analysis.without_cost = std::move(costs.without);
  }
  std::vector<Group> groups = make_groups(rows, analysis.metric, question.source);
  if (!groups.empty()) {
    check_fixed(groups, question.at);
  }
  std::vector<std::string> traces;
  for (Group& group : groups) {
    if (std::ranges::find(traces, group.trace) == traces.end()) {
      traces.push_back(group.trace);
    }
    analysis.groups.push_back(analyse_group(std::move(group), analysis, question));
  }
  for (const std::string& trace : traces) {
    analysis.traces.push_back(analyse_trace(trace, analysis));
  }
  return analysis;
}

}  // namespace gpusim::sweep
