// SPDX-License-Identifier: MIT
#include "sim/commands/sweep/analysis/sections.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "sim/base/text.h"
#include "sim/commands/sweep/analysis/words.h"

namespace gpusim::sweep {
namespace {

constexpr std::size_t kMostOfFormula = 60;
constexpr std::size_t kMostOfExample = 40;

Section titled(std::string title, std::string remark = {}) {
  Section out;
  out.title = std::move(title);
  out.remark = std::move(remark);
  return out;
}

std::string metric_header(const Analysis& analysis) {
  return with_unit(analysis.metric.name, analysis.metric.unit);
}

double value_of(const Analysis& analysis, std::size_t row) {
  return metric_of(analysis.rows[row], analysis.metric.name).value_or(0);
}

/// The columns that tell points of a trace apart.
class PointColumns {
 public:
  PointColumns(const Analysis& analysis, const TraceAnalysis& trace)
      : rows_(analysis.rows), keys_(varying_keys(analysis)), has_gpus_(!trace.gpus.empty()) {}

  [[nodiscard]] std::vector<std::string> header() const {
    std::vector<std::string> header;
    if (has_gpus_) {
      header.emplace_back("arch");
    }
    std::ranges::copy(keys_, std::back_inserter(header));
    return header;
  }

  [[nodiscard]] std::vector<std::string> cells(std::size_t row) const {
    std::vector<std::string> cells;
    if (has_gpus_) {
      cells.push_back(printable(rows_[row].arch));
    }
    std::ranges::transform(keys_, std::back_inserter(cells),
                           [&](const std::string& key) { return text_or_dash(rows_[row], key); });
    return cells;
  }

 private:
  std::span<const PointRow> rows_;
  std::vector<std::string> keys_;
  bool has_gpus_;
};

std::vector<std::string> cost_headers(const Analysis& analysis) {
  return analysis.cost_is_price ? std::vector<std::string>{"USD/hour", "USD per million runs"}
                                : std::vector<std::string>{"cost"};
}

/// A point's cost, and where that is a price what a million runs cost.
std::vector<std::string> money_cells(const Analysis& analysis, std::size_t row) {
  const std::optional<double>& cost = analysis.costs[row];
  std::vector<std::string> cells{cost ? number_text(*cost) : "-"};
  if (analysis.cost_is_price) {
    cells.push_back(cost ? number_text(usd_a_million_runs(*cost, analysis.rows[row].time_us)) : "-");
  }
  return cells;
}

Section best_section(const Analysis& analysis, const TraceAnalysis& trace, const PointColumns& columns) {
  Section out = titled("Best points", printable(trace.trace));
  out.header = {"#"};
  std::ranges::copy(columns.header(), std::back_inserter(out.header));
  std::ranges::copy(std::vector<std::string>{metric_header(analysis), "relative", "bound"},
                    std::back_inserter(out.header));
  out.alignment = std::string(out.header.size() - 1, 'r') + "l";
  const bool costed = !analysis.costs.empty();
  if (costed) {
    std::ranges::copy(cost_headers(analysis), std::back_inserter(out.header));
    out.alignment += analysis.cost_is_price ? "rr" : "r";
  }
  const double best = value_of(analysis, trace.order.front());
  std::size_t rank = 0;
  for (std::size_t i = 0; i < std::min(trace.order.size(), analysis.top); ++i) {
    const std::size_t row = trace.order[i];
    const double value = value_of(analysis, row);
    // Equal points share their rank.
    rank = i > 0 && value == value_of(analysis, trace.order[i - 1]) ? rank : i + 1;
    std::vector<std::string> cells{std::to_string(rank)};
    std::ranges::copy(columns.cells(row), std::back_inserter(cells));
    cells.push_back(number_text(value));
    cells.push_back(fmt::format("{:.3f}", value / best));
    cells.push_back(analysis.rows[row].bound);
    if (costed) {
      std::ranges::copy(money_cells(analysis, row), std::back_inserter(cells));
    }
    out.rows.push_back(std::move(cells));
  }
  return out;
}

std::vector<std::string> cost_cells(const Analysis& analysis, const RankedGpu& gpu) {
  std::vector<std::string> cells = money_cells(analysis, gpu.row);
  cells.push_back(gpu.spent_relative ? fmt::format("{:.3f}", *gpu.spent_relative) : "-");
  cells.push_back(gpu.cost ? std::to_string(gpu.spent_rank) : "-");
  return cells;
}

/// The best of each architecture; with a cost, also what a run costs on it.
Section parts_section(const Analysis& analysis, const TraceAnalysis& trace, const PointColumns& columns) {
  const bool costed = !analysis.costs.empty();
  Section out = titled("GPUs compared", printable(trace.trace) + ": the best point of each");
  out.header = columns.header();
  std::ranges::copy(std::vector<std::string>{metric_header(analysis), "relative", "bound"},
                    std::back_inserter(out.header));
  out.alignment = "l" + std::string(out.header.size() - 2, 'r') + "l";
  if (costed) {
    std::ranges::copy(cost_headers(analysis), std::back_inserter(out.header));
    std::ranges::copy(std::vector<std::string>{"cost x time, relative", "rank"}, std::back_inserter(out.header));
    out.alignment += analysis.cost_is_price ? "rrrr" : "rrr";
  }
  for (const RankedGpu& gpu : trace.gpus) {
    std::vector<std::string> cells = columns.cells(gpu.row);
    cells.push_back(number_text(gpu.value));
    cells.push_back(fmt::format("{:.3f}", gpu.value / trace.gpus.front().value));
    cells.push_back(analysis.rows[gpu.row].bound);
    if (costed) {
      std::ranges::copy(cost_cells(analysis, gpu), std::back_inserter(cells));
    }
    out.rows.push_back(std::move(cells));
  }
  return out;
}

std::optional<plot::Plot> front_plot(const Analysis& analysis, const TraceAnalysis& trace) {
  if (trace.front.empty() || trace.costed.size() < 3) {
    return std::nullopt;
  }
  plot::Plot plot;
  plot.x.title = "cost";
  plot.y.title = metric_header(analysis);
  plot.series = {{"points", {}, plot::Style::kMarks}, {"worth their cost", {}, plot::Style::kSteps}};
  for (const Costed& point : trace.costed) {
    plot.series[0].points.push_back({point.cost, point.value});
  }
  for (const Costed& point : trace.front) {
    plot.series[1].points.push_back({point.cost, point.value});
  }
  return plot;
}

Section front_section(const Analysis& analysis, const TraceAnalysis& trace, const PointColumns& columns) {
  Section out = titled("Worth their cost",
                       fmt::format("{}: {} of {} points; cost = {}", printable(trace.trace), trace.front.size(),
                                   trace.costed.size(), printable(clipped(analysis.cost, kMostOfFormula))));
  out.rows_are = "points";
  if (trace.front.empty()) {
    return out;
  }
  out.header = {"cost", metric_header(analysis)};
  std::ranges::copy(columns.header(), std::back_inserter(out.header));
  out.header.emplace_back("bound");
  out.alignment = std::string(out.header.size() - 1, 'r') + "l";
  for (const Costed& point : trace.front) {
    std::vector<std::string> cells{number_text(point.cost), number_text(point.value)};
    std::ranges::copy(columns.cells(point.row), std::back_inserter(cells));
    cells.push_back(analysis.rows[point.row].bound);
    out.rows.push_back(std::move(cells));
  }
  out.plot = front_plot(analysis, trace);
  return out;
}

const Sample& centre_of(const GroupAnalysis& group_analysis) {
  return group_analysis.group.samples[group_analysis.centre];
}

std::string effect_text(const Sensitivity& s) {
  switch (s.evidence) {
    case Evidence::kSpread: return "(words)";
    case Evidence::kNone: return "not told";
    default: break;
  }
  // Without a minus sign before a rounded zero.
  const double shown = std::abs(s.elasticity) < 0.0005 ? 0 : s.elasticity;
  return fmt::format("{:+.3f} %", shown) + (s.error ? fmt::format(" +- {:.3f}", *s.error) : "");
}

std::string fit_text(const Sensitivity& s) {
  const bool known = s.error && s.evidence != Evidence::kSpread;
  return known ? fmt::format("{:.1f} %", s.fit_error_pct) : "-";
}

std::string knee_text(const Analysis& analysis, const Group& group, const Scaling& scaling) {
  // Returns are those of two points of the machine that are not zero.
  const auto has_growth = [](const ScalingPoint& point) { return point.efficiency.has_value(); };
  if (std::ranges::count_if(scaling.points, has_growth) < 2) {
    return "";
  }
  if (!scaling.has_trend) {
    return fmt::format(
        "No trend: the speed goes up and down along {}, by {:.1f} % between the slowest and the fastest.",
        group.dimensions[scaling.dimension].key, 100 * (scaling.spread - 1));
  }
  const std::string step =
      fmt::format("per cent {} {}", scaling.falls ? "less" : "more", group.dimensions[scaling.dimension].key);
  if (!scaling.knee) {
    return fmt::format("No knee: at the end of this range a {} still gives {:.2g} % more speed or better.", step,
                       analysis.knee_share);
  }
  const Sample& sample = group.samples[scaling.points[scaling.knee->point].sample];
  const std::string value = printable(group.level_of(sample, scaling.dimension).text);
  const std::string where =
      scaling.knee->point == 0 ? "Low returns from the first value on:" : "Knee at " + value + ": beyond it";
  return fmt::format("{} each {} gives less than {:.2g} % more speed (at most {:.2f} %).", where, step,
                     analysis.knee_share, std::max(scaling.knee->elasticity_beyond, 0.0));
}

plot::Plot curve(const Group& group, const Scaling& scaling) {
  const Dimension& dimension = group.dimensions[scaling.dimension];
  plot::Plot plot;
  plot.x.title = with_unit(dimension.key, unit_word(dimension));
  plot.y.title = "speed-up";
  plot::Series series{"", {}, plot::Style::kLine};
  for (const ScalingPoint& point : scaling.points) {
    const double at = group.level_of(group.samples[point.sample], scaling.dimension).number->value;
    series.points.push_back({at / scale_of(dimension), point.speedup});
  }
  std::ranges::sort(series.points, {}, &plot::Point::x);
  if (is_wide(series.points.front().x, series.points.back().x)) {
    plot.x.scale = plot::Scale::kLog2;
    plot.x.ticks = plot::Ticks::kEven;
    plot.x.low = series.points.front().x;
    plot.x.high = series.points.back().x;
  }
  plot.series.push_back(std::move(series));
  return plot;
}

Section scaling_section(const Analysis& analysis, const GroupAnalysis& group_analysis, const Scaling& scaling) {
  const Group& group = group_analysis.group;
  const Dimension& dimension = group.dimensions[scaling.dimension];
  const std::string others = place_text(group, centre_of(group_analysis), {scaling.dimension});
  Section out = titled("Scaling with " + dimension.key, name_of(group) + (others.empty() ? "" : "; " + others));
  out.alignment = "rrrrl";
  out.header = {dimension.key, metric_header(analysis), "speed-up", "efficiency", "bound"};
  out.rows_are = "values";
  out.is_curve = true;
  for (const ScalingPoint& point : scaling.points) {
    const Sample& sample = group.samples[point.sample];
    out.rows.push_back({printable(group.level_of(sample, scaling.dimension).text), number_text(sample.value),
                        fmt::format("{:.3f}", point.speedup),
                        point.efficiency ? fmt::format("{:.0f} %", 100 * *point.efficiency) : "-",
                        analysis.rows[sample.row].bound});
  }
  const std::string knee = knee_text(analysis, group, scaling);
  if (!knee.empty()) {
    out.after.push_back(knee);
  }
  if (scaling.points.size() > 2) {
    out.plot = curve(group, scaling);
  }
  return out;
}

std::string about_text(const Dimension& dimension, const BoundCrossover& crossover) {
  if (!crossover.least) {
    return "-";
  }
  const std::string least = in_unit_of(dimension, *crossover.least);
  const std::string most = in_unit_of(dimension, *crossover.most);
  return least == most ? least : least + " .. " + most;
}

}  // namespace

std::size_t points_asked(const Analysis& analysis) {
  return analysis.rows.size() + analysis.missing;
}

std::string outcome_text(const Analysis& analysis) {
  const auto part = [](std::size_t count, const char* what) {
    return count == 0 ? "" : ", " + with_thousands(count) + " " + what;
  };
  return ": " + with_thousands(analysis.done) + " done" + part(analysis.failed, "failed") +
         part(analysis.skipped, "skipped") + part(analysis.missing, "not run yet") + ". Judged by " +
         analysis.metric.name + ": " + (analysis.metric.more_is_better ? "more" : "less") + " is better.";
}

std::vector<std::string> omissions(const Analysis& analysis) {
  std::size_t hidden = 0;
  std::size_t unusable = 0;
  for (const GroupAnalysis& group : analysis.groups) {
    hidden += group.group.hidden;
    unusable += group.group.unusable;
  }
  std::vector<std::string> out;
  if (hidden > 0) {
    out.push_back(fmt::format(
        "{} points have the same values as others but not the same input, because a file was changed for example. "
        "Those of the study run last are shown; --study with its number tells them apart; --study list has the "
        "numbers.",
        hidden));
  }
  if (analysis.other_programs > 0) {
    out.push_back(
        fmt::format("{} points that another version of gpusim computed are left out; --study with its "
                    "number shows them (--study list).",
                    analysis.other_programs));
  }
  if (unusable > 0) {
    out.push_back(fmt::format("{} points have no {} above zero and are left out.", unusable, analysis.metric.name));
  }
  return out;
}

std::string place_of(const PointRow& row, std::span<const std::string> keys) {
  std::string text;
  for (const std::string& key : keys) {
    text += (text.empty() ? "" : ", ") + key + "=" + text_or_dash(row, key);
  }
  return text + (text.empty() ? "" : " ") + "(" + printable(row.trace) + " on " + printable(row.arch) + ")";
}

std::vector<Section> trace_sections(const Analysis& analysis, const TraceAnalysis& trace) {
  const PointColumns columns(analysis, trace);
  std::vector<Section> out;
  // With one point per GPU, the comparison of GPUs shows them all.
  if (!trace.order.empty() && trace.order.size() != trace.gpus.size()) {
    out.push_back(best_section(analysis, trace, columns));
  }
  if (!trace.gpus.empty()) {
    out.push_back(parts_section(analysis, trace, columns));
  }
  if (!analysis.costs.empty()) {
    out.push_back(front_section(analysis, trace, columns));
  }
  return out;
}

std::optional<Section> without_cost_section(const Analysis& analysis) {
  if (analysis.without_cost.empty()) {
    return std::nullopt;
  }
  const std::vector<std::string> keys = varying_keys(analysis);
  Section out = titled("Without a cost");
  for (const WithoutCost& without : analysis.without_cost) {
    const std::string arch = printable(without.arch);
    out.before.push_back(!without.key.empty()
                             ? arch + " has no cost: its file says nothing of '" + printable(without.key) + "'."
                             : fmt::format("The cost of {} of {} is not finite, such as that of {}.",
                                           counted(without.rows.size(), "point"), arch,
                                           place_of(analysis.rows[without.rows.front()], keys)));
  }
  return out;
}

std::optional<Section> sensitivity_section(const Analysis& analysis, const GroupAnalysis& group_analysis) {
  const Group& group = group_analysis.group;
  const std::vector<Sensitivity>& found = group_analysis.sensitivities;
  if (found.empty()) {
    return std::nullopt;
  }
  const bool around = std::ranges::any_of(
      found, [](const Sensitivity& s) { return s.evidence == Evidence::kSlice || s.evidence == Evidence::kSpread; });
  Section out = titled("What buys most", name_of(group));
  out.alignment = "lrrrrr";
  out.before.push_back(around
                           ? "One key at a time, the others as in " + place_text(group, centre_of(group_analysis)) + "."
                           : "All points together, because too few differ in one key alone.");
  out.header = {"key", "varied", "points", "1 % more: " + analysis.metric.name, "fit error", "worst / best"};
  bool workload = false;
  for (const Sensitivity& s : found) {
    const Dimension& dimension = group.dimensions[s.dimension];
    workload = workload || dimension.is_workload();
    out.rows.push_back({dimension.key, printable(s.low) + " .. " + printable(s.high), std::to_string(s.points),
                        effect_text(s), fit_text(s), fmt::format("{:.3f}", s.spread)});
  }
  if (workload) {
    out.after.emplace_back("param.* changes the work itself: how time grows with it, not what buys time.");
  }
  if (std::ranges::any_of(found, [](const Sensitivity& s) { return s.evidence == Evidence::kNone; })) {
    out.after.emplace_back("not told: the key only moved together with others, or never alone.");
  }
  return out;
}

std::vector<Section> scaling_sections(const Analysis& analysis, const GroupAnalysis& group_analysis) {
  std::vector<Section> out;
  for (const Sensitivity& s : group_analysis.sensitivities) {
    const auto scaling = std::ranges::find(group_analysis.scalings, s.dimension, &Scaling::dimension);
    if (scaling != group_analysis.scalings.end()) {
      out.push_back(scaling_section(analysis, group_analysis, *scaling));
    }
  }
  return out;
}

std::optional<Section> bound_section(const GroupAnalysis& group_analysis) {
  const Group& group = group_analysis.group;
  if (group_analysis.bound_crossovers.empty()) {
    return std::nullopt;
  }
  Section out = titled("Where the bound changes", name_of(group));
  out.alignment = "lrrrrl";
  out.header = {"key", "from", "to", "between", "about", "slices, such as"};
  out.rows_are = "changes";
  for (const BoundCrossover& crossover : group_analysis.bound_crossovers) {
    const Dimension& dimension = group.dimensions[crossover.dimension];
    out.rows.push_back(
        {dimension.key, crossover.from, crossover.to,
         printable(dimension.levels[crossover.low].text) + " .. " + printable(dimension.levels[crossover.high].text),
         about_text(dimension, crossover),
         std::to_string(crossover.slices) +
             (crossover.example.empty() ? "" : ": " + printable(clipped(crossover.example, kMostOfExample)))});
  }
  out.after.emplace_back("about: where both are equally near their peaks, interpolated between the two points.");
  return out;
}

}  // namespace gpusim::sweep
