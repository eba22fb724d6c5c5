// SPDX-License-Identifier: MIT
#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include <fmt/format.h>

#include "sim/base/text.h"
#include "sim/commands/sweep/analysis/analysis.h"
#include "sim/commands/sweep/analysis/json_value.h"
#include "sim/commands/sweep/analysis/sections.h"
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

/// The metric over that of the best point of the same trace.
PageColumn relative_column(const Analysis& analysis) {
  std::map<std::string, double> best;
  for (const TraceAnalysis& trace : analysis.traces) {
    if (!trace.order.empty()) {
      best[trace.trace] = metric_of(analysis.rows[trace.order.front()], analysis.metric.name).value_or(0);
    }
  }
  return {"relative to the best", [&analysis, best = std::move(best)](std::size_t row) -> Json {
            const auto found = best.find(analysis.rows[row].trace);
            const std::optional<double> value = metric_of(analysis.rows[row], analysis.metric.name);
            return found == best.end() || !(found->second > 0) || !value ? Json(nullptr) : Json(*value / found->second);
          }};
}

/// What is known of each point; what was asked for first.
std::vector<PageColumn> facts_of(const Analysis& analysis) {
  std::vector<PageColumn> out;
  const auto metric = [&analysis](const std::string& name) -> PageColumn {
    return {name, [&analysis, name](std::size_t row) { return or_null(metric_of(analysis.rows[row], name)); }};
  };
  out.push_back(metric(analysis.metric.name));
  out.push_back(relative_column(analysis));
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

/// A section as a table of the page. `folded`: the reader opens it.
Json section_json(const Section& section, bool folded = false) {
  return {{"title", section.title},    {"remark", section.remark},   {"before", section.before},
          {"columns", section.header}, {"align", section.alignment}, {"rows", section.rows},
          {"after", section.after},    {"folded", folded},           {"curve", section.is_curve}};
}

/// Points without a result, by their reason.
Section troubles_section(const Analysis& analysis) {
  constexpr std::size_t kMostNamed = 3;
  const std::vector<std::string> keys = varying_keys(analysis);
  Section out;
  out.title = "Without a result";
  out.alignment = "rlll";
  out.header = {"points", "status", "reason", "such as"};
  for (const Trouble& trouble : analysis.troubles) {
    std::string examples;
    for (std::size_t i = 0; i < std::min(trouble.rows.size(), kMostNamed); ++i) {
      examples += (i == 0 ? "" : "; ") + place_of(analysis.rows[trouble.rows[i]], keys);
    }
    out.rows.push_back(
        {std::to_string(trouble.rows.size()), trouble.status, printable(trouble.reason), std::move(examples)});
  }
  return out;
}

/// What the text tells, in its order; of the scaling curves those that matter less are there to be opened.
Json tables_of(const Analysis& analysis) {
  constexpr std::size_t kCurvesOpen = 4;
  Json out = Json::array();
  const auto add = [&out](const std::optional<Section>& section) {
    if (section) {
      out.push_back(section_json(*section));
    }
  };
  if (!analysis.troubles.empty()) {
    add(troubles_section(analysis));
  }
  for (const TraceAnalysis& trace : analysis.traces) {
    for (const Section& section : trace_sections(analysis, trace)) {
      add(section);
    }
  }
  add(without_cost_section(analysis));
  for (const GroupAnalysis& group : analysis.groups) {
    add(sensitivity_section(analysis, group));
    std::size_t curves = 0;
    for (const Section& section : scaling_sections(analysis, group)) {
      out.push_back(section_json(section, curves++ >= kCurvesOpen));
    }
    add(bound_section(group));
  }
  return out;
}

/// The row that slices go through, of each trace and architecture.
Json middles_of(const Analysis& analysis) {
  Json out = Json::array();
  for (const GroupAnalysis& each : analysis.groups) {
    if (!each.group.samples.empty()) {
      out.push_back(each.group.samples[each.centre].row);
    }
  }
  return out;
}

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
  return title + joined(names, ", ");
}

}  // namespace

std::string to_page_table(const Analysis& analysis) {
  const std::vector<PageColumn> axes = axes_of(analysis);
  std::vector<PageColumn> columns = axes;
  const std::vector<PageColumn> facts = facts_of(analysis);
  columns.insert(columns.end(), facts.begin(), facts.end());
  Json root{
      {"title", title_of(analysis)},     {"note", counted(points_asked(analysis), "point") + outcome_text(analysis)},
      {"warnings", omissions(analysis)}, {"columns", Json::array()},
      {"rows", Json::array()},           {"axes", Json::array()},
      {"metrics", Json::array()},        {"middles", middles_of(analysis)},
      {"tables", tables_of(analysis)}};
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
