// SPDX-License-Identifier: MIT
#include "sim/base/text.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "sim/commands/sweep/analysis/analysis.h"
#include "sim/commands/sweep/analysis/words.h"
#include "sim/output/plot/text_plot.h"
#include "sim/output/text/layout.h"

namespace gpusim::sweep {
namespace {

/// Curves and lists beyond these are left to JSON and CSV.
constexpr std::size_t kMostCurvesShown = 4;
constexpr std::size_t kMostListed = 20;
constexpr std::size_t kMostNamed = 3;
constexpr plot::Size kPlotSize{78, 9};

std::string left_out(std::size_t total, std::size_t shown, const char* what) {
  return total <= shown ? ""
                        : layout::wrapped(fmt::format("... and {} more {}; --format json has all", total - shown, what),
                                          layout::kIndent);
}

class TextReport {
 public:
  TextReport(const Analysis& analysis, const layout::Look& look)
      : analysis_(analysis), look_(look), keys_(varying_keys(analysis)) {}

  std::string text() {
    add_head();
    add_troubles();
    for (const TraceAnalysis& trace : analysis_.traces) {
      add_best(trace);
      add_parts(trace);
      add_front(trace);
    }
    add_without_cost();
    for (const GroupAnalysis& group : analysis_.groups) {
      add_sensitivities(group);
      add_scalings(group);
      add_bound_crossovers(group);
    }
    return out_;
  }

 private:
  [[nodiscard]] std::string metric_header() const { return with_unit(analysis_.metric.name, analysis_.metric.unit); }
  [[nodiscard]] std::string bound_of(std::size_t row) const { return analysis_.rows[row].bound; }

  /// "sm.count=0, l2.bytes=50 MiB (flashattn on h100)"
  [[nodiscard]] std::string place_of(const PointRow& row) const {
    std::string text;
    for (const std::string& key : keys_) {
      text += (text.empty() ? "" : ", ") + key + "=" + text_or_dash(row, key);
    }
    return text + (text.empty() ? "" : " ") + "(" + printable(row.trace) + " on " + printable(row.arch) + ")";
  }

  void add_head() {
    const auto part = [](std::size_t count, const char* what) {
      return count == 0 ? "" : ", " + with_thousands(count) + " " + what;
    };
    const std::size_t asked = analysis_.rows.size() + analysis_.missing;
    out_ += layout::paint(counted(asked, "point"), layout::Style::kStrong, look_) + ": " +
            with_thousands(analysis_.done) + " done" + part(analysis_.failed, "failed") +
            part(analysis_.skipped, "skipped") + part(analysis_.missing, "not run yet") + ". Judged by " +
            analysis_.metric.name + ": " + (analysis_.metric.more_is_better ? "more" : "less") + " is better.\n";
    std::size_t hidden = 0;
    std::size_t unusable = 0;
    for (const GroupAnalysis& group : analysis_.groups) {
      hidden += group.group.hidden;
      unusable += group.group.unusable;
    }
    if (hidden > 0) {
      out_ += warning(fmt::format(
          "{} points have the same values as others but not the same input, because a file was changed for example. "
          "Those of the study run last are shown; --study with its number tells them apart; --study list has the "
          "numbers.",
          hidden));
    }
    if (analysis_.other_programs > 0) {
      out_ +=
          warning(fmt::format("{} points that another version of gpusim computed are left out; --study with its "
                              "number shows them (--study list).",
                              analysis_.other_programs));
    }
    if (unusable > 0) {
      out_ +=
          warning(fmt::format("{} points have no {} above zero and are left out.", unusable, analysis_.metric.name));
    }
  }

  [[nodiscard]] std::string warning(const std::string& text) const {
    return layout::paint(layout::wrapped(text, 0), layout::Style::kWarning, look_);
  }

  void add_troubles() {
    if (analysis_.troubles.empty()) {
      return;
    }
    out_ += layout::heading("Without a result", "", look_);
    for (std::size_t i = 0; i < std::min(analysis_.troubles.size(), kMostListed); ++i) {
      const Trouble& trouble = analysis_.troubles[i];
      out_ += layout::wrapped(fmt::format("{} {}: {}", trouble.rows.size(), trouble.status, printable(trouble.reason)),
                              layout::kIndent);
      const std::size_t named = std::min(trouble.rows.size(), kMostNamed);
      for (std::size_t k = 0; k < named; ++k) {
        out_ += layout::wrapped(place_of(analysis_.rows[trouble.rows[k]]), 2 * layout::kIndent);
      }
      if (trouble.rows.size() > named) {
        out_ += layout::wrapped(fmt::format("and {} more", trouble.rows.size() - named), 2 * layout::kIndent);
      }
    }
    out_ += left_out(analysis_.troubles.size(), kMostListed, "reasons");
  }

  [[nodiscard]] bool has_several_parts(const TraceAnalysis& trace) const { return !trace.parts.empty(); }

  /// Columns that tell points of a trace apart.
  std::vector<std::string> point_header(const TraceAnalysis& trace) const {
    std::vector<std::string> header;
    if (has_several_parts(trace)) {
      header.emplace_back("arch");
    }
    header.insert(header.end(), keys_.begin(), keys_.end());
    return header;
  }
  std::vector<std::string> point_cells(const TraceAnalysis& trace, std::size_t row) const {
    std::vector<std::string> cells;
    if (has_several_parts(trace)) {
      cells.push_back(printable(analysis_.rows[row].arch));
    }
    std::ranges::transform(keys_, std::back_inserter(cells),
                           [&](const std::string& key) { return text_or_dash(analysis_.rows[row], key); });
    return cells;
  }

  void add_best(const TraceAnalysis& trace) {
    // With one point a part, the comparison of parts shows them all.
    if (trace.order.empty() || trace.order.size() == trace.parts.size()) {
      return;
    }
    out_ += layout::heading("Best points", printable(trace.trace), look_);
    std::vector<std::string> header{"#"};
    std::ranges::copy(point_header(trace), std::back_inserter(header));
    for (const std::string& name : {metric_header(), std::string("relative"), std::string("bound")}) {
      header.push_back(name);
    }
    const bool costed = !analysis_.costs.empty();
    if (costed) {
      header.emplace_back("cost");
    }
    layout::Table table(std::string(header.size() - (costed ? 2 : 1), 'r') + (costed ? "lr" : "l"), header);
    const double best = value_of(trace.order.front());
    std::size_t rank = 0;
    for (std::size_t i = 0; i < std::min(trace.order.size(), analysis_.top); ++i) {
      const std::size_t row = trace.order[i];
      // Equal points share their rank.
      rank = i > 0 && value_of(row) == value_of(trace.order[i - 1]) ? rank : i + 1;
      std::vector<std::string> cells{std::to_string(rank)};
      std::ranges::copy(point_cells(trace, row), std::back_inserter(cells));
      cells.push_back(number_text(value_of(row)));
      cells.push_back(fmt::format("{:.3f}", value_of(row) / best));
      cells.push_back(bound_of(row));
      if (costed) {
        cells.push_back(analysis_.costs[row] ? number_text(*analysis_.costs[row]) : "-");
      }
      table.add(std::move(cells));
    }
    out_ += table.to_text(look_);
  }

  [[nodiscard]] double value_of(std::size_t row) const {
    return metric_of(analysis_.rows[row], analysis_.metric.name).value_or(0);
  }

  /// The best of each architecture; with a cost, also what a run costs on it.
  void add_parts(const TraceAnalysis& trace) {
    if (trace.parts.empty()) {
      return;
    }
    const bool costed = !analysis_.costs.empty();
    out_ += layout::heading("Parts compared", printable(trace.trace) + ": the best point of each", look_);
    std::vector<std::string> header = point_header(trace);
    std::ranges::copy(std::vector<std::string>{metric_header(), "relative", "bound"}, std::back_inserter(header));
    std::string alignment = "l" + std::string(header.size() - 2, 'r') + "l";
    if (costed) {
      std::ranges::copy(std::vector<std::string>{"cost", "cost x time, relative", "rank"}, std::back_inserter(header));
      alignment += "rrr";
    }
    layout::Table table(alignment, header);
    for (const RankedPart& part : trace.parts) {
      std::vector<std::string> cells = point_cells(trace, part.row);
      cells.push_back(number_text(part.value));
      cells.push_back(fmt::format("{:.3f}", part.value / trace.parts.front().value));
      cells.push_back(bound_of(part.row));
      if (costed) {
        std::ranges::copy(cost_cells(part), std::back_inserter(cells));
      }
      table.add(std::move(cells));
    }
    out_ += table.to_text(look_);
  }

  void add_without_cost() {
    if (analysis_.without_cost.empty()) {
      return;
    }
    out_ += layout::heading("Without a cost", "", look_);
    for (const WithoutCost& without : analysis_.without_cost) {
      const std::string arch = printable(without.arch);
      const std::string why = !without.key.empty()
                                  ? arch + " has no cost: its file says nothing of '" + printable(without.key) + "'."
                                  : fmt::format("The cost of {} of {} is not finite, such as that of {}.",
                                                counted(without.rows.size(), "point"), arch,
                                                place_of(analysis_.rows[without.rows.front()]));
      out_ += layout::wrapped(why, layout::kIndent);
    }
  }

  static std::vector<std::string> cost_cells(const RankedPart& part) {
    if (!part.cost) {
      return {"-", "-", "-"};
    }
    return {number_text(*part.cost), part.spent_relative ? fmt::format("{:.3f}", *part.spent_relative) : "-",
            std::to_string(part.spent_rank)};
  }

  void add_front(const TraceAnalysis& trace) {
    if (analysis_.costs.empty()) {
      return;
    }
    out_ += layout::heading("Worth their cost",
                            fmt::format("{}: {} of {} points; cost = {}", printable(trace.trace), trace.front.size(),
                                        trace.costed.size(), printable(clipped(analysis_.cost, 60))),
                            look_);
    if (trace.front.empty()) {
      return;
    }
    std::vector<std::string> header{"cost"};
    header.push_back(metric_header());
    std::ranges::copy(point_header(trace), std::back_inserter(header));
    header.emplace_back("bound");
    layout::Table table(std::string(header.size() - 1, 'r') + "l", header);
    for (std::size_t i = 0; i < std::min(trace.front.size(), kMostListed); ++i) {
      const Costed& point = trace.front[i];
      std::vector<std::string> cells{number_text(point.cost), number_text(point.value)};
      std::ranges::copy(point_cells(trace, point.row), std::back_inserter(cells));
      cells.push_back(bound_of(point.row));
      table.add(std::move(cells));
    }
    out_ += table.to_text(look_) + left_out(trace.front.size(), kMostListed, "points") + front_plot(trace);
  }

  std::string front_plot(const TraceAnalysis& trace) const {
    if (trace.costed.size() < 3) {
      return "";
    }
    plot::Plot plot;
    plot.x.title = "cost";
    plot.y.title = metric_header();
    plot.series = {{"points", {}, plot::Style::kMarks}, {"worth their cost", {}, plot::Style::kSteps}};
    for (const Costed& point : trace.costed) {
      plot.series[0].points.push_back({point.cost, point.value});
    }
    for (const Costed& point : trace.front) {
      plot.series[1].points.push_back({point.cost, point.value});
    }
    return plot::to_text(plot, kPlotSize, look_.unicode);
  }

  void add_sensitivities(const GroupAnalysis& group_analysis) {
    const Group& group = group_analysis.group;
    if (group_analysis.sensitivities.empty()) {
      return;
    }
    const bool around = std::ranges::any_of(group_analysis.sensitivities, [](const Sensitivity& s) {
      return s.evidence == Evidence::kSlice || s.evidence == Evidence::kSpread;
    });
    out_ += layout::heading("What buys most", name_of(group), look_);
    out_ += layout::wrapped(
        around ? "One key at a time, the others as in " + place_text(group, centre_of(group_analysis)) + "."
               : "All points together, because too few differ in one key alone.",
        layout::kIndent);
    layout::Table table("lrrrrr",
                        {"key", "varied", "points", "1 % more: " + analysis_.metric.name, "fit error", "worst / best"});
    bool workload = false;
    for (const Sensitivity& s : group_analysis.sensitivities) {
      const Dimension& dimension = group.dimensions[s.dimension];
      workload = workload || dimension.is_workload();
      table.add({dimension.key, printable(s.low) + " .. " + printable(s.high), std::to_string(s.points), effect_text(s),
                 fit_text(s), fmt::format("{:.3f}", s.spread)});
    }
    out_ += table.to_text(look_);
    if (workload) {
      out_ += layout::wrapped("param.* changes the work itself: how time grows with it, not what buys time.",
                              layout::kIndent);
    }
    if (std::ranges::any_of(group_analysis.sensitivities,
                            [](const Sensitivity& s) { return s.evidence == Evidence::kNone; })) {
      out_ += layout::wrapped("not told: the key only moved together with others, or never alone.", layout::kIndent);
    }
  }

  static std::string effect_text(const Sensitivity& s) {
    switch (s.evidence) {
      case Evidence::kSpread: return "(words)";
      case Evidence::kNone: return "not told";
      default: break;
    }
    // Without a minus sign before a rounded zero.
    const double shown = std::abs(s.elasticity) < 0.0005 ? 0 : s.elasticity;
    return fmt::format("{:+.3f} %", shown) + (s.error ? fmt::format(" +- {:.3f}", *s.error) : "");
  }

  static std::string fit_text(const Sensitivity& s) {
    const bool known = s.error && s.evidence != Evidence::kSpread;
    return known ? fmt::format("{:.1f} %", s.fit_error_pct) : "-";
  }

  [[nodiscard]] static const Sample& centre_of(const GroupAnalysis& group_analysis) {
    return group_analysis.group.samples[group_analysis.centre];
  }

  /// Curves of the keys that matter most.
  void add_scalings(const GroupAnalysis& group_analysis) {
    std::size_t shown = 0;
    for (const Sensitivity& s : group_analysis.sensitivities) {
      const auto scaling = std::ranges::find(group_analysis.scalings, s.dimension, &Scaling::dimension);
      if (scaling != group_analysis.scalings.end() && shown < kMostCurvesShown) {
        add_scaling(group_analysis, *scaling);
        ++shown;
      }
    }
    out_ += left_out(group_analysis.scalings.size(), shown, "scaling curves");
  }

  void add_scaling(const GroupAnalysis& group_analysis, const Scaling& scaling) {
    const Group& group = group_analysis.group;
    const Dimension& dimension = group.dimensions[scaling.dimension];
    const std::string others = place_text(group, centre_of(group_analysis), {scaling.dimension});
    out_ +=
        layout::heading("Scaling with " + dimension.key, name_of(group) + (others.empty() ? "" : "; " + others), look_);
    layout::Table table("rrrrl", {dimension.key, metric_header(), "speed-up", "efficiency", "bound"});
    for (const std::size_t i : spread_over(scaling.points.size(), kMostListed)) {
      const ScalingPoint& point = scaling.points[i];
      const Sample& sample = group.samples[point.sample];
      table.add({printable(group.level_of(sample, scaling.dimension).text), number_text(sample.value),
                 fmt::format("{:.3f}", point.speedup),
                 point.efficiency ? fmt::format("{:.0f} %", 100 * *point.efficiency) : "-", bound_of(sample.row)});
    }
    out_ += table.to_text(look_) + left_out(scaling.points.size(), kMostListed, "values") + knee_text(group, scaling);
    if (scaling.points.size() > 2) {
      out_ += curve(group, scaling);
    }
  }

  std::string knee_text(const Group& group, const Scaling& scaling) const {
    // Returns are those of two points of the machine that are not zero.
    const auto has_growth = [](const ScalingPoint& point) { return point.efficiency.has_value(); };
    if (std::ranges::count_if(scaling.points, has_growth) < 2) {
      return "";
    }
    const std::string step =
        fmt::format("per cent {} {}", scaling.falls ? "less" : "more", group.dimensions[scaling.dimension].key);
    if (!scaling.knee) {
      return layout::wrapped(
          fmt::format("No knee: at the end of this range a {} still gives {:.2g} % more speed or better.", step,
                      analysis_.knee_share),
          layout::kIndent);
    }
    const Sample& sample = group.samples[scaling.points[scaling.knee->point].sample];
    const std::string value = printable(group.level_of(sample, scaling.dimension).text);
    const std::string where =
        scaling.knee->point == 0 ? "Low returns from the first value on:" : "Knee at " + value + ": beyond it";
    return layout::wrapped(fmt::format("{} each {} gives less than {:.2g} % more speed (at most {:.2f} %).", where,
                                       step, analysis_.knee_share, std::max(scaling.knee->elasticity_beyond, 0.0)),
                           layout::kIndent);
  }

  std::string curve(const Group& group, const Scaling& scaling) const {
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
    return plot::to_text(plot, kPlotSize, look_.unicode);
  }

  void add_bound_crossovers(const GroupAnalysis& group_analysis) {
    const Group& group = group_analysis.group;
    if (group_analysis.bound_crossovers.empty()) {
      return;
    }
    out_ += layout::heading("Where the bound changes", name_of(group), look_);
    layout::Table table("lrrrrl", {"key", "from", "to", "between", "about", "slices, such as"});
    for (std::size_t i = 0; i < std::min(group_analysis.bound_crossovers.size(), kMostListed); ++i) {
      const BoundCrossover& crossover = group_analysis.bound_crossovers[i];
      const Dimension& dimension = group.dimensions[crossover.dimension];
      table.add(
          {dimension.key, crossover.from, crossover.to,
           printable(dimension.levels[crossover.low].text) + " .. " + printable(dimension.levels[crossover.high].text),
           about_text(dimension, crossover),
           std::to_string(crossover.slices) +
               (crossover.example.empty() ? "" : ": " + printable(clipped(crossover.example, 40)))});
    }
    out_ += table.to_text(look_) + left_out(group_analysis.bound_crossovers.size(), kMostListed, "changes");
    out_ += layout::wrapped("about: where both are equally near their peaks, interpolated between the two points.",
                            layout::kIndent);
  }

  static std::string about_text(const Dimension& dimension, const BoundCrossover& crossover) {
    if (!crossover.least) {
      return "-";
    }
    const std::string least = in_unit_of(dimension, *crossover.least);
    const std::string most = in_unit_of(dimension, *crossover.most);
    return least == most ? least : least + " .. " + most;
  }

  const Analysis& analysis_;
  const layout::Look& look_;
  std::vector<std::string> keys_;
  std::string out_;
};

}  // namespace

std::string to_text(const Analysis& analysis, const layout::Look& look) {
  return TextReport(analysis, look).text();
}

}  // namespace gpusim::sweep
