// SPDX-License-Identifier: MIT
#include <algorithm>
#include <functional>
#include <set>

#include <fmt/format.h>

#include "sim/base/text.h"
#include "sim/commands/sweep/analysis/analysis.h"
#include "sim/commands/sweep/analysis/json_value.h"
#include "sim/commands/sweep/analysis/words.h"

namespace gpusim::sweep {
namespace {

/// A column of the page's table: its heading, and its cell in each row. null stands for a cell without a value.
struct PageColumn {
  std::string name;
  std::function<Json(std::size_t row)> cell;
};

/// The values of a varied key as numbers, in the unit of the first one, where all of them are numbers; else as texts.
PageColumn key_column(const Analysis& analysis, const std::string& key) {
  std::vector<std::optional<Quantity>> numbers;
  const UnitWord* unit = nullptr;
  bool all_numbers = true;
  for (const PointRow& row : analysis.rows) {
    const std::string* const text = find_text(row.parameters, key);
    numbers.push_back(text == nullptr ? std::nullopt : parse_quantity(*text));
    all_numbers = all_numbers && (text == nullptr || numbers.back());
    unit = unit == nullptr && numbers.back() ? numbers.back()->unit : unit;
  }
  if (!all_numbers) {
    return {key, [&analysis, key](std::size_t row) { return Json(text_or_dash(analysis.rows[row], key)); }};
  }
  const double scale = unit == nullptr ? 1 : unit->scale;
  return {with_unit(key, unit == nullptr ? "" : std::string(unit->word)),
          [numbers = std::move(numbers), scale](std::size_t row) {
            return numbers[row] ? Json(numbers[row]->value / scale) : Json(nullptr);
          }};
}

bool is_several(const Analysis& analysis, std::string PointRow::*member) {
  return std::ranges::any_of(analysis.rows,
                             [&](const PointRow& row) { return row.*member != analysis.rows.front().*member; });
}

PageColumn name_column(const Analysis& analysis, const char* heading, std::string PointRow::*member) {
  return {heading, [&analysis, member](std::size_t row) { return Json(printable(analysis.rows[row].*member)); }};
}

/// What tells the points apart.
std::vector<PageColumn> axes_of(const Analysis& analysis) {
  std::vector<PageColumn> out;
  if (is_several(analysis, &PointRow::trace)) {
    out.push_back(name_column(analysis, "trace", &PointRow::trace));
  }
  if (is_several(analysis, &PointRow::arch)) {
    out.push_back(name_column(analysis, "arch", &PointRow::arch));
  }
  for (const std::string& key : varying_keys(analysis)) {
    out.push_back(key_column(analysis, key));
  }
  return out;
}

/// All but the one that was asked for.
std::set<std::string> other_metrics(const Analysis& analysis) {
  std::set<std::string> names{"time_us", "cycles"};
  for (const PointRow& row : analysis.rows) {
    for (const auto& [name, value] : row.metrics) {
      names.insert(name);
    }
  }
  names.erase(analysis.metric.name);
  return names;
}

std::set<std::size_t> front_of(const Analysis& analysis) {
  std::set<std::size_t> rows;
  for (const TraceAnalysis& trace : analysis.traces) {
    for (const Costed& point : trace.front) {
      rows.insert(point.row);
    }
  }
  return rows;
}

/// What is known of each point; what was asked for first.
std::vector<PageColumn> facts_of(const Analysis& analysis) {
  std::vector<PageColumn> out;
  const auto metric = [&analysis](const std::string& name) -> PageColumn {
    return {name, [&analysis, name](std::size_t row) { return or_null(metric_of(analysis.rows[row], name)); }};
  };
  out.push_back(metric(analysis.metric.name));
  out.push_back(name_column(analysis, "bound", &PointRow::bound));
  if (!analysis.costs.empty()) {
    out.push_back({"cost", [&analysis](std::size_t row) { return or_null(analysis.costs[row]); }});
    out.push_back({"on the Pareto front",
                   [front = front_of(analysis)](std::size_t row) { return Json(front.contains(row) ? "yes" : "no"); }});
  }
  for (const std::string& name : other_metrics(analysis)) {
    out.push_back(metric(name));
  }
  if (analysis.done < analysis.rows.size()) {
    out.push_back(name_column(analysis, "status", &PointRow::status));
    out.push_back(name_column(analysis, "reason", &PointRow::reason));
  }
  return out;
}

Json table_json(std::string_view title, std::string_view note, Json columns) {
  return {{"title", title}, {"note", note}, {"columns", std::move(columns)}, {"rows", Json::array()}};
}

/// Finished findings as tables of the page; a table without rows is left out.
class Findings {
 public:
  explicit Findings(const Analysis& analysis) : analysis_(analysis), keys_(varying_keys(analysis)) {
    const std::string& metric = analysis.metric.name;
    sensitivities_ =
        table_json("What buys most", "A sensitivity of -1 means: 1 % more of the key, 1 % less " + metric + ".",
                   {"points", "key", "from", "to", "sensitivity", "worst / best"});
    knees_ = table_json("Where returns fall",
                        "Beyond the knee, 1 % more of the key gains at most so many per cent of speed.",
                        {"points", "key", "knee at", "gain beyond [%]"});
    crossovers_ = table_json("Where the bound changes", "The bound passes between two neighbouring values of the key.",
                             {"points", "key", "bound below", "bound above", "between", "and"});
  }

  Json tables() && {
    for (const GroupAnalysis& each : analysis_.groups) {
      add(each);
    }
    Json out = Json::array();
    for (const TraceAnalysis& trace : analysis_.traces) {
      out.push_back(best_json(trace));
    }
    for (Json* table : {&sensitivities_, &knees_, &crossovers_}) {
      if (!(*table)["rows"].empty()) {
        out.push_back(std::move(*table));
      }
    }
    return out;
  }

 private:
  [[nodiscard]] Json best_json(const TraceAnalysis& trace) const {
    const bool costed = !analysis_.costs.empty();
    Json out = table_json("Best points", printable(trace.trace),
                          costed ? Json{"#", "point", analysis_.metric.name, "bound", "cost"}
                                 : Json{"#", "point", analysis_.metric.name, "bound"});
    for (std::size_t i = 0; i < std::min(trace.order.size(), analysis_.top); ++i) {
      const PointRow& row = analysis_.rows[trace.order[i]];
      Json cells{i + 1, point_text(row), metric_of(row, analysis_.metric.name).value_or(0), row.bound};
      if (costed) {
        cells.push_back(or_null(analysis_.costs[trace.order[i]]));
      }
      out["rows"].push_back(std::move(cells));
    }
    return out;
  }

  /// "h100, sm.count=132, l2.bytes=50 MiB".
  [[nodiscard]] std::string point_text(const PointRow& row) const {
    std::string text = printable(row.arch);
    for (const std::string& key : keys_) {
      text += ", " + key + "=" + text_or_dash(row, key);
    }
    return text;
  }

  void add(const GroupAnalysis& each) {
    const Group& group = each.group;
    const std::string name = name_of(group);
    for (const Sensitivity& s : each.sensitivities) {
      const bool has_slope = s.evidence == Evidence::kSlice || s.evidence == Evidence::kRegression;
      sensitivities_["rows"].push_back({name, group.dimensions[s.dimension].key, printable(s.low), printable(s.high),
                                        has_slope ? Json(s.elasticity) : Json(nullptr), s.spread});
    }
    for (const Scaling& scaling : each.scalings) {
      if (scaling.knee) {
        const Sample& sample = group.samples[scaling.points[scaling.knee->point].sample];
        knees_["rows"].push_back({name, group.dimensions[scaling.dimension].key,
                                  printable(group.level_of(sample, scaling.dimension).text),
                                  std::max(scaling.knee->elasticity_beyond, 0.0)});
      }
    }
    for (const BoundCrossover& crossover : each.bound_crossovers) {
      const Dimension& dimension = group.dimensions[crossover.dimension];
      crossovers_["rows"].push_back({name, dimension.key, crossover.from, crossover.to,
                                     printable(dimension.levels[crossover.low].text),
                                     printable(dimension.levels[crossover.high].text)});
    }
  }

  const Analysis& analysis_;
  std::vector<std::string> keys_;
  Json sensitivities_;
  Json knees_;
  Json crossovers_;
};

std::string title_of(const Analysis& analysis) {
  std::string title = counted(analysis.done, "finished point") + " of ";
  std::set<std::string> names;
  for (const PointRow& row : analysis.rows) {
    names.insert(printable(row.trace) + " on " + printable(row.arch));
  }
  constexpr std::size_t kMostNamed = 3;
  if (names.size() > kMostNamed) {
    return title + counted(names.size(), "pair") + " of trace and GPU";
  }
  return title + fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace

std::string to_page_table(const Analysis& analysis) {
  const std::vector<PageColumn> axes = axes_of(analysis);
  std::vector<PageColumn> columns = axes;
  const std::vector<PageColumn> facts = facts_of(analysis);
  columns.insert(columns.end(), facts.begin(), facts.end());
  Json root{{"title", title_of(analysis)}, {"columns", Json::array()}, {"rows", Json::array()},
            {"axes", Json::array()},       {"metrics", Json::array()}, {"tables", Findings(analysis).tables()}};
  for (const PageColumn& column : columns) {
    root["columns"].push_back(column.name);
  }
  for (const PageColumn& column : axes) {
    root["axes"].push_back(column.name);
  }
  root["metrics"].push_back(analysis.metric.name);
  for (std::size_t row = 0; row < analysis.rows.size(); ++row) {
    Json cells = Json::array();
    for (const PageColumn& column : columns) {
      cells.push_back(column.cell(row));
    }
    root["rows"].push_back(std::move(cells));
  }
  return root.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace gpusim::sweep
