// SPDX-License-Identifier: MIT
#include "sim/commands/sweep/analysis/answer.h"

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

void count(Answers& answers) {
  std::map<std::pair<std::string, std::string>, std::size_t> known;
  for (std::size_t i = 0; i < answers.rows.size(); ++i) {
    const PointRow& row = answers.rows[i];
    if (row.status == kDone) {
      ++answers.done;
      continue;
    }
    ++(row.status == kSkipped ? answers.skipped : answers.failed);
    const auto [entry, is_new] = known.try_emplace({row.status, row.reason}, answers.troubles.size());
    if (is_new) {
      answers.troubles.push_back({row.status, row.reason, {}});
    }
    answers.troubles[entry->second].rows.push_back(i);
  }
}

GroupAnswer answer_group(Group group, const Answers& answers, const Question& question) {
  GroupAnswer out{std::move(group), 0, {}, {}, {}};
  if (out.group.samples.empty()) {
    return out;
  }
  out.centre = find_centre(out.group, question.at);
  out.sensitivities = rank_sensitivities(out.group, out.centre);
  out.scalings = scalings_of(out.group, out.centre, answers.metric, question.knee_share);
  out.handovers = find_handovers(out.group, answers.rows);
  return out;
}

/// By what a run on them costs.
void rank_spent(std::vector<RankedPart>& parts) {
  std::vector<double> sorted;
  for (const RankedPart& part : parts) {
    if (part.spent) {
      sorted.push_back(*part.spent);
    }
  }
  std::ranges::sort(sorted);
  for (RankedPart& part : parts) {
    if (part.spent) {
      part.spent_rank = static_cast<std::size_t>(std::ranges::lower_bound(sorted, *part.spent) - sorted.begin()) + 1;
      part.spent_relative = sorted.front() > 0 ? std::optional(*part.spent / sorted.front()) : std::nullopt;
    }
  }
}

/// The best point of each architecture.
std::vector<RankedPart> rank_parts(const TraceAnswer& trace, const Answers& answers) {
  std::vector<RankedPart> parts;
  std::set<std::string_view> seen;
  for (const std::size_t row : trace.order) {
    if (seen.insert(answers.rows[row].arch).second) {
      const std::optional<double> cost = answers.costs.empty() ? std::nullopt : answers.costs[row];
      const std::optional<double> spent = cost ? std::optional(*cost * answers.rows[row].time_us) : std::nullopt;
      parts.push_back({row, *metric_of(answers.rows[row], answers.metric.name), cost, spent, std::nullopt, 0});
    }
  }
  if (parts.size() < 2) {
    return {};
  }
  rank_spent(parts);
  return parts;
}

TraceAnswer answer_trace(const std::string& name, const Answers& answers) {
  TraceAnswer out{name, {}, {}, {}, {}};
  std::vector<std::pair<double, std::size_t>> values;
  for (const GroupAnswer& group : answers.groups) {
    for (const Sample& sample : group.group.samples) {
      if (group.group.trace == name) {
        values.emplace_back(answers.metric.more_is_better ? -sample.value : sample.value, sample.row);
      }
    }
  }
  std::ranges::sort(values);
  for (const auto& [value, row] : values) {
    out.order.push_back(row);
    if (!answers.costs.empty() && answers.costs[row]) {
      out.costed.push_back({row, *answers.costs[row], answers.metric.more_is_better ? -value : value});
    }
  }
  out.parts = rank_parts(out, answers);
  out.front = pareto_front(out.costed, answers.metric);
  return out;
}

}  // namespace

Answers answer(std::span<const PointRow> rows, const Question& question) {
  Answers answers;
  answers.rows = rows;
  answers.metric = find_metric(question.metric, rows);
  answers.top = question.top;
  answers.knee_share = question.knee_share;
  answers.cost = question.cost;
  answers.parameters = parameters_of(rows);
  answers.other_programs = question.other_programs;
  answers.missing = question.missing;
  count(answers);
  if (!question.cost.empty()) {
    Costs costs = costs_of(rows, question.cost, question.source);
    answers.costs = std::move(costs.by_row);
    answers.without_cost = std::move(costs.without);
  }
  std::vector<Group> groups = make_groups(rows, answers.metric, question.source);
  if (!groups.empty()) {
    check_fixed(groups, question.at);
  }
  std::vector<std::string> traces;
  for (Group& group : groups) {
    if (std::ranges::find(traces, group.trace) == traces.end()) {
      traces.push_back(group.trace);
    }
    answers.groups.push_back(answer_group(std::move(group), answers, question));
  }
  for (const std::string& trace : traces) {
    answers.traces.push_back(answer_trace(trace, answers));
  }
  return answers;
}

}  // namespace gpusim::sweep
