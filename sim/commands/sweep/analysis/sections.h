// SPDX-License-Identifier: MIT
// What `gpusim sweep show` tells people, as headings, sentences and tables: the text and the page show the same ones.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sim/commands/sweep/analysis/analysis.h"
#include "sim/output/plot/text_plot.h"

namespace gpusim::sweep {

/// A part of the report. Without a header it has no table.
struct Section {
  std::string title;
  std::string remark;               ///< what it is about: "flashattn on h100"
  std::vector<std::string> before;  ///< sentences above the table
  std::string alignment;            ///< one letter per column, as layout::Table takes it
  std::vector<std::string> header;
  std::vector<std::vector<std::string>> rows;
  std::string rows_are;            ///< "points"
  bool is_curve = false;           ///< where rows are left out, those shown are spread over all
  std::vector<std::string> after;  ///< sentences below the table
  std::optional<plot::Plot> plot;  ///< for the text
};

/// ": 12 done, 1 failed. Judged by time_us: less is better.", to stand behind the number of points.
[[nodiscard]] std::string outcome_text(const Analysis& analysis);

/// Points asked for, whatever became of them.
[[nodiscard]] std::size_t points_asked(const Analysis& analysis);

/// What was left out of the answers, and why: a sentence each.
[[nodiscard]] std::vector<std::string> omissions(const Analysis& analysis);

/// "sm.count=0, l2.bytes=50 MiB (flashattn on h100)". `keys`: those that vary.
[[nodiscard]] std::string place_of(const PointRow& row, std::span<const std::string> keys);

/// The best points, the GPUs compared, and the points that are worth their cost.
[[nodiscard]] std::vector<Section> trace_sections(const Analysis& analysis, const TraceAnalysis& trace);
/// What has no cost, and why; nothing where all have one.
[[nodiscard]] std::optional<Section> without_cost_section(const Analysis& analysis);
/// What buys most; nothing where no key was varied.
[[nodiscard]] std::optional<Section> sensitivity_section(const Analysis& analysis, const GroupAnalysis& group);
/// A curve for each key that has one, what matters most first.
[[nodiscard]] std::vector<Section> scaling_sections(const Analysis& analysis, const GroupAnalysis& group);
/// Where the bound changes; nothing where it does not.
[[nodiscard]] std::optional<Section> bound_section(const GroupAnalysis& group);

}  // namespace gpusim::sweep
