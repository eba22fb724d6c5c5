// SPDX-License-Identifier: MIT
#include "sim/commands/sweep/analysis/analysis.h"
#include "sim/commands/sweep/analysis/json_value.h"

namespace gpusim::sweep {
namespace {

Json point_json(const Analysis& analysis, std::size_t index) {
  const PointRow& row = analysis.rows[index];
  Json out{{"trace", row.trace},
           {"arch", row.arch},
           {"parameters", Json::object()},
           {"derived", Json::object()},
           {"status", row.status}};
  for (const auto& [key, text] : row.parameters) {
    out["parameters"][key] = text;
  }
  for (const auto& [key, text] : row.derived) {
    out["derived"][key] = text;
  }
  if (row.status == kDone) {
    out["cycles"] = row.cycles;
    out["time_us"] = row.time_us;
    out["bound"] = row.bound;
    out["metrics"] = row.metrics;
  } else {
    out["reason"] = row.reason;
  }
  if (!analysis.costs.empty()) {
    out["cost"] = or_null(analysis.costs[index]);
  }
  out["key"] = row.key.empty() ? Json(nullptr) : Json(row.key);
  return out;
}

Json numbers(std::span<const std::size_t> indices) {
  Json out = Json::array();
  for (const std::size_t index : indices) {
    out.push_back(index);
  }
  return out;
}

Json trace_json(const Analysis& analysis, const TraceAnalysis& trace) {
  const std::size_t shown = std::min(analysis.top, trace.order.size());
  Json out{{"trace", trace.trace}, {"points", numbers(std::span(trace.order).first(shown))}, {"parts", Json::array()}};
  for (const RankedGpu& gpu : trace.gpus) {
    out["parts"].push_back(
        {{"arch", analysis.rows[gpu.row].arch},
         {"point", gpu.row},
         {"value", gpu.value},
         {"cost", or_null(gpu.cost)},
         {"cost_x_time", or_null(gpu.spent)},
         {"usd_a_million_runs", analysis.cost_is_price && gpu.cost
                                    ? Json(usd_a_million_runs(*gpu.cost, analysis.rows[gpu.row].time_us))
                                    : Json(nullptr)},
         {"cost_x_time_relative", or_null(gpu.spent_relative)},
         {"cost_x_time_rank", gpu.spent ? Json(gpu.spent_rank) : Json(nullptr)}});
  }
  return out;
}

constexpr const char* evidence_name(Evidence evidence) {
  switch (evidence) {
    case Evidence::kSlice: return "slice";
    case Evidence::kRegression: return "regression";
    case Evidence::kSpread: return "spread";
    case Evidence::kNone: return "none";
  }
  return "";
}

Json group_json(const Group& group) {
  return {{"trace", group.trace},
          {"arch", group.arch},
          {"points", group.samples.size()},
          {"hidden", group.hidden},
          {"unusable", group.unusable}};
}

/// What names a finding: the group and the key.
Json finding(const Group& group, std::size_t dimension) {
  return {{"trace", group.trace}, {"arch", group.arch}, {"key", group.dimensions[dimension].key}};
}

Json sensitivity_json(const Group& group, const Sensitivity& s) {
  const bool has_slope = s.evidence == Evidence::kSlice || s.evidence == Evidence::kRegression;
  Json out = finding(group, s.dimension);
  out["evidence"] = evidence_name(s.evidence);
  out["points"] = s.points;
  out["low"] = s.low;
  out["high"] = s.high;
  out["elasticity"] = has_slope ? Json(s.elasticity) : Json(nullptr);
  out["standard_error"] = or_null(s.error);
  out["fit_error_pct"] = has_slope ? Json(s.fit_error_pct) : Json(nullptr);
  out["spread"] = s.spread;
  return out;
}

Json scaling_json(const Group& group, const Scaling& scaling) {
  Json out = finding(group, scaling.dimension);
  out["falls"] = scaling.falls;
  out["has_trend"] = scaling.has_trend;
  out["spread"] = scaling.spread;
  for (const ScalingPoint& point : scaling.points) {
    const Sample& sample = group.samples[point.sample];
    out["points"].push_back({{"value", group.level_of(sample, scaling.dimension).text},
                             {"point", sample.row},
                             {"metric", sample.value},
                             {"speedup", point.speedup},
                             {"efficiency", or_null(point.efficiency)}});
  }
  out["knee"] = nullptr;
  if (scaling.knee) {
    out["knee"] = {
        {"value", group.level_of(group.samples[scaling.points[scaling.knee->point].sample], scaling.dimension).text},
        {"elasticity_beyond", scaling.knee->elasticity_beyond}};
  }
  return out;
}

Json bound_crossover_json(const Group& group, const BoundCrossover& crossover) {
  const std::vector<Level>& levels = group.dimensions[crossover.dimension].levels;
  Json out = finding(group, crossover.dimension);
  out["from"] = crossover.from;
  out["to"] = crossover.to;
  out["low"] = levels[crossover.low].text;
  out["high"] = levels[crossover.high].text;
  out["interpolated_least"] = or_null(crossover.least);
  out["interpolated_most"] = or_null(crossover.most);
  out["slices"] = crossover.slices;
  out["example"] = crossover.example;
  return out;
}

Json pareto_json(const TraceAnalysis& trace) {
  Json out{{"trace", trace.trace}, {"points", Json::array()}};
  for (const Costed& point : trace.front) {
    out["points"].push_back({{"point", point.row}, {"cost", point.cost}, {"value", point.value}});
  }
  return out;
}

Json head_json(const Analysis& analysis) {
  return {{"schema", "gpusim.sweep/1"},
          {"metric", analysis.metric.name},
          {"unit", analysis.metric.unit},
          {"more_is_better", analysis.metric.more_is_better},
          {"knee_share", analysis.knee_share},
          {"cost", analysis.cost},
          {"done", analysis.done},
          {"failed", analysis.failed},
          {"skipped", analysis.skipped},
          {"missing", analysis.missing},
          {"other_programs", analysis.other_programs}};
}

Json without_cost_json(const WithoutCost& without) {
  return {{"arch", without.arch},
          {"key", without.key.empty() ? Json(nullptr) : Json(without.key)},
          {"points", numbers(without.rows)}};
}

}  // namespace

std::string to_json(const Analysis& analysis) {
  Json root = head_json(analysis);
  for (const char* list : {"points", "groups", "best", "centres", "sensitivity", "scaling", "bound_crossovers",
                           "pareto", "without_cost"}) {
    root[list] = Json::array();
  }
  for (std::size_t i = 0; i < analysis.rows.size(); ++i) {
    root["points"].push_back(point_json(analysis, i));
  }
  for (const GroupAnalysis& g : analysis.groups) {
    root["groups"].push_back(group_json(g.group));
    if (!g.group.samples.empty()) {
      root["centres"].push_back(
          {{"trace", g.group.trace}, {"arch", g.group.arch}, {"point", g.group.samples[g.centre].row}});
    }
    for (const Sensitivity& s : g.sensitivities) {
      root["sensitivity"].push_back(sensitivity_json(g.group, s));
    }
    for (const Scaling& s : g.scalings) {
      root["scaling"].push_back(scaling_json(g.group, s));
    }
    for (const BoundCrossover& h : g.bound_crossovers) {
      root["bound_crossovers"].push_back(bound_crossover_json(g.group, h));
    }
  }
  for (const TraceAnalysis& trace : analysis.traces) {
    root["best"].push_back(trace_json(analysis, trace));
    if (!analysis.costs.empty()) {
      root["pareto"].push_back(pareto_json(trace));
    }
  }
  for (const WithoutCost& without : analysis.without_cost) {
    root["without_cost"].push_back(without_cost_json(without));
  }
  return root.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace gpusim::sweep
