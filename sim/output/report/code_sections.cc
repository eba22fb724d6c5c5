// SPDX-License-Identifier: MIT
// What the warps of a kernel do: states, lines that cost most, producers, divergence.
#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

#include <fmt/format.h>

#include "sim/base/text.h"
#include "sim/model/stats/counters.h"
#include "sim/model/stats/kernel_counts.h"
#include "sim/output/report/section_text.h"
#include "sim/output/report/sections.h"

namespace gpusim::report {
namespace {

/// States below this share of the warps' time are summed into one row, unless details are asked for.
constexpr double kShownSharePct = 0.05;
/// The profiler's rule on stalls speaks up from here.
constexpr double kNotableWaitPct = 30;
constexpr double kNotableLinePct = 20;
/// The lines that cost most show how often each was executed from this width on.
constexpr std::size_t kWidthOfCounts = 96;

using Cells = std::vector<std::string>;

bool is_problem(const KernelView& view, const StateRow& row) {
  return view.main_wait && view.main_wait->state == row.state && row.share_pct >= kNotableWaitPct;
}

bool is_shown(const StateRow& row, const TextOptions& options) {
  return options.details || row.share_pct >= kShownSharePct;
}

/// The bar gives way to the explanations where the page is narrow.
std::size_t bar_beside_states(const KernelView& view, const TextOptions& options) {
  constexpr std::size_t kNumbersAndGaps = 21;
  std::size_t longest = 0;
  std::size_t longest_key = 0;
  for (const StateRow& row : view.states) {
    if (is_shown(row, options)) {
      const stats::StallInfo& info = stats::info_of(row.state);
      longest = std::max(longest, info.what.size());
      longest_key = std::max(longest_key, info.key.size());
    }
  }
  const std::size_t taken = layout::kIndent + longest_key + kNumbersAndGaps + longest;
  return std::min(kStateBarWidth, options.width - std::min(options.width, taken));
}

std::vector<std::string> state_cells(const StateRow& row, bool problem, std::size_t bar_width,
                                     const TextOptions& options) {
  const stats::StallInfo& info = stats::info_of(row.state);
  return {marked(std::string(info.key), problem, options), decimal(row.per_instruction, 2),
          marked(decimal(row.share_pct, 1), problem, options), layout::bar(row.share_pct, bar_width, options),
          std::string(info.what)};
}

std::string main_state_text(const LineRow& row) {
  return row.main_wait ? fmt::format("{} {:.0f} %", stats::info_of(*row.main_wait).key, row.main_wait_pct) : "issuing";
}

std::string lanes_are(std::optional<stats::Divergence> divergence) {
  constexpr std::array<std::string_view, stats::kDivergenceNames.size()> kTexts{
      "independent thread scheduling", "lanes by a reconvergence stack",
      "lanes as they were recorded, whatever sm.simt says", "lanes as the kernel's values say, whatever sm.simt says"};
  return divergence ? std::string(kTexts[static_cast<std::size_t>(*divergence)]) : "";
}

}  // namespace

std::string states_section(const KernelView& view, const TextOptions& options) {
  layout::Table table("lrrlL", {"state", "cycles", "%", "", "the warp waits for"});
  const std::size_t bar_width = bar_beside_states(view, options);
  StateRow rest;
  std::size_t left_out = 0;
  for (const StateRow& row : view.states) {
    if (is_shown(row, options)) {
      table.add(state_cells(row, is_problem(view, row), bar_width, options));
    } else if (row.cycles > 0) {
      rest.per_instruction += row.per_instruction;
      rest.share_pct += row.share_pct;
      ++left_out;
    }
  }
  if (left_out > 0) {
    table.add(
        {fmt::format("others ({})", left_out), decimal(rest.per_instruction, 2), decimal(rest.share_pct, 1), "", ""});
  }
  return layout::heading(
             "Warp states",
             fmt::format("{:.2f} warp-cycles per issued instruction, and where they go", view.cycles_per_instruction),
             options) +
         table.to_text(options);
}

std::string lines_section(const KernelView& view, const TextOptions& options) {
  const std::size_t shown = std::min(view.lines.size(), options.details ? kLinesShownInDetail : kLinesShown);
  // The wait, and its share, are what the table is for: a narrow page has no room for counts.
  const bool counts = options.width >= kWidthOfCounts;
  layout::Table table(counts ? "rrLrrlL" : "rrLrlL",
                      counts ? Cells{"line", "x", "instruction", "executed", "% time", "main wait", "for line"}
                             : Cells{"line", "x", "instruction", "% time", "main wait", "for line"});
  for (std::size_t i = 0; i < shown; ++i) {
    const LineRow& row = view.lines[i];
    const bool costs_most = i == 0 && row.share_pct >= kNotableLinePct;
    Cells cells{marked(line_cell(row), costs_most, options), std::to_string(row.copies), instruction_text(row)};
    if (counts) {
      cells.push_back(with_thousands(row.warp_instructions));
    }
    cells.push_back(marked(decimal(row.share_pct, 1), costs_most, options));
    cells.push_back(main_state_text(row));
    cells.push_back(row.producer ? line_text(*row.producer) : "");
    table.add(std::move(cells));
  }
  return layout::heading("Lines that cost most",
                         "x: copies of a line; % of all warp-cycles; for: whose result it waits for", options) +
         table.to_text(options);
}

std::string producers_section(const KernelView& view, const TextOptions& options) {
  if (view.producers.empty()) {
    return {};
  }
  const std::size_t most = options.details ? kLinesShownInDetail : kFewLinesShown;
  layout::Table table("rLrlL", {"line", "instruction", "% time", "state", "most by line"});
  for (std::size_t i = 0; i < std::min(view.producers.size(), most); ++i) {
    const ProducerRow& row = view.producers[i];
    table.add({line_cell(row.producer), instruction_text(row.producer), decimal(row.share_pct, 1),
               std::string(stats::info_of(row.state).key), line_text(row.waiter)});
  }
  return layout::heading("Results that are waited for", "the producers behind the dependence states", options) +
         table.to_text(options);
}

std::string divergence_section(const KernelView& view, const TextOptions& options) {
  const stats::SmCounters& sm = view.counts.sm;
  const std::string branches = sm.branches == 0 ? "no branches"
                                                : fmt::format("{} of {} branches diverge, {:.1f} % do not",
                                                              with_thousands(sm.divergent_branches),
                                                              with_thousands(sm.branches), view.branch_efficiency_pct);
  const std::string out = layout::heading("Divergence", lanes_are(view.counts.divergence), options) +
                          sentence(fmt::format("{:.1f} of 32 lanes active on average, {:.1f} with their guard true",
                                               view.avg_active_lanes, view.avg_lanes_on),
                                   options) +
                          sentence(branches, options);
  const std::vector<const LineRow*> rows =
      lines_with_most(view, options, [](const LineRow& row) { return idle_lane_slots(row, row.opcode); });
  if (rows.empty()) {
    return out;
  }
  layout::Table table("rLrrrr", {"line", "instruction", "executed", "lanes", "on", "diverges"});
  for (const LineRow* row : rows) {
    const auto executed = static_cast<double>(row->warp_instructions);
    table.add({line_cell(*row), instruction_text(*row), with_thousands(row->warp_instructions),
               decimal(static_cast<double>(row->active_lanes) / executed, 1),
               decimal(static_cast<double>(row->thread_instructions) / executed, 1),
               row->divergent_branches == 0 ? "" : with_thousands(row->divergent_branches)});
  }
  return out + "\n" + sentence("Where most lanes idle; lanes: on the path, on: with their guard true", options) +
         table.to_text(options);
}

}  // namespace gpusim::report
