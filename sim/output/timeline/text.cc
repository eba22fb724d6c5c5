// SPDX-License-Identifier: MIT
// The text timeline: what --watch prints.
#include "sim/base/text.h"

#include <algorithm>
#include <set>
#include <span>
#include <sstream>

#include <fmt/format.h>

#include "sim/output/timeline/timeline.h"
#include "sim/output/timeline/watch_rows.h"

namespace gpusim::timeline {
namespace {

using stats::Stall;
using stats::WatchInterval;

constexpr std::size_t kLabelWidth = 16;
/// A stretch of this many cycles without a change is written as one glyph and its length.
constexpr Cycle kLeastRun = 12;
/// The ruler's favourite cycles.
constexpr Cycle kMark = 10;
/// More issues than this are counted, not listed, unless details are asked for.
constexpr std::size_t kIssuesListed = 200;

/// A stretch of time on the page: a cycle, or many in which no warp changes its state.
struct Cell {
  Cycle begin = 0;
  Cycle cycles = 1;
  [[nodiscard]] std::string length() const { return cycles == 1 ? "" : fmt::format("({})", cycles); }
  [[nodiscard]] std::size_t width() const { return 1 + length().size(); }
};

/// One kernel's and SM's warps.
using Rows = std::span<const Row>;

std::string paint(std::string_view text, Stall state, const TextOptions& options) {
  if (!options.colour || text.empty()) {
    return std::string(text);
  }
  return fmt::format("\x1b[{}m{}\x1b[0m", static_cast<int>(info_of(state).colour), text);
}

std::vector<Cell> cells_of(Rows rows) {
  std::vector<Cycle> changes;
  for (const Row& row : rows) {
    for (const WatchInterval& interval : row) {
      changes.push_back(interval.begin);
      changes.push_back(interval.end);
    }
  }
  std::sort(changes.begin(), changes.end());
  changes.erase(std::unique(changes.begin(), changes.end()), changes.end());
  std::vector<Cell> cells;
  for (std::size_t i = 0; i + 1 < changes.size(); ++i) {
    if (const Cycle cycles = changes[i + 1] - changes[i]; cycles >= kLeastRun) {
      cells.push_back({changes[i], cycles});
    } else {
      for (Cycle c = changes[i]; c < changes[i + 1]; ++c) {
        cells.push_back({c, 1});
      }
    }
  }
  return cells;
}

/// As many of the first cells as fit; one at least.
std::size_t fitting(std::span<const Cell> cells, std::size_t width) {
  std::size_t used = 0;
  std::size_t count = 0;
  while (count < cells.size() && (count == 0 || used + cells[count].width() <= width)) {
    used += cells[count++].width();
  }
  return count;
}

void trim_end(std::string& line) {
  line.erase(line.find_last_not_of(' ') + 1);
}

/// Numbers where there is room for them: at the first cell, at round cycles, and beside stretches.
std::string ruler(std::span<const Cell> cells, const TextOptions& options) {
  std::string numbers(kLabelWidth, ' ');
  std::string marks(kLabelWidth, ' ');
  std::size_t column = kLabelWidth;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const bool is_special = i == 0 || cells[i].begin % kMark == 0 || cells[i].cycles > 1 || cells[i - 1].cycles > 1;
    const std::string number = std::to_string(cells[i].begin);
    const bool fits = numbers.size() <= column && (i == 0 || column + number.size() <= options.width);
    if (is_special && fits) {
      numbers.resize(column, ' ');
      numbers += number + " ";
      marks.resize(column, ' ');
      marks += '|';
    }
    column += cells[i].width();
  }
  trim_end(numbers);
  return layout::paint(numbers, layout::Style::kFaint, options) + "\n" +
         layout::paint(marks, layout::Style::kFaint, options) + "\n";
}

/// The row over these cells; blank where the warp is not resident.
std::string glyphs(Row row, std::span<const Cell> cells, const TextOptions& options) {
  std::string line;
  std::string run;  // cycles of one state
  Stall of_run = Stall::kSelected;
  auto at = std::upper_bound(row.begin(), row.end(), cells.front().begin,
                             [](Cycle c, const WatchInterval& i) { return c < i.end; });
  for (const Cell& cell : cells) {
    while (at != row.end() && at->end <= cell.begin) {
      ++at;
    }
    const bool is_there = at != row.end() && at->begin <= cell.begin;
    if (!is_there || at->state != of_run) {
      line += paint(run, of_run, options);
      run.clear();
    }
    if (is_there) {
      of_run = at->state;
      run += info_of(of_run).glyph + cell.length();
    } else {
      line.append(cell.width(), ' ');
    }
  }
  line += paint(run, of_run, options);
  trim_end(line);
  return line;
}

std::string lanes_of_time(Rows rows, const TextOptions& options) {
  const std::vector<Cell> all = cells_of(rows);
  std::string out;
  for (std::span<const Cell> rest = all; !rest.empty();) {
    const std::size_t count = fitting(rest, options.width - kLabelWidth);
    const std::span<const Cell> cells = rest.first(count);
    out += (out.empty() ? "" : "\n") + ruler(cells, options);
    for (const Row& row : rows) {
      std::string line = fmt::format("  {:<{}}", clipped(warp_label(row.front()), kLabelWidth - 3), kLabelWidth - 2);
      line += glyphs(row, cells, options);
      trim_end(line);
      out += line + "\n";
    }
    rest = rest.subspan(count);
  }
  return out;
}

std::string legend(Rows rows, const TextOptions& options) {
  std::set<Stall> used;
  for (const Row& row : rows) {
    for (const WatchInterval& i : row) {
      used.insert(i.state);
    }
  }
  layout::Table table("lll", {"glyph", "state", "the warp waits for"});
  for (const Stall state : used) {
    const stats::StallInfo& info = info_of(state);
    table.add({paint(std::string(1, info.glyph), state, options), std::string(info.key), std::string(info.what)});
  }
  return "\n" + table.to_text(options);
}

/// What a warp waited for, and then issued, unless the cycles watched ended before.
struct Issue {
  const WatchInterval* end = nullptr;  ///< the issue; the last wait where there is none
  Row waits;
  [[nodiscard]] bool has_issued() const { return end->state == Stall::kSelected; }
};

std::vector<Issue> issues_of(Rows rows) {
  std::vector<Issue> issues;
  for (const Row& row : rows) {
    std::size_t first = 0;
    for (std::size_t i = 0; i < row.size(); ++i) {
      const bool issues_now = row[i].state == Stall::kSelected;
      if (issues_now || i + 1 == row.size()) {
        issues.push_back({&row[i], row.subspan(first, i + (issues_now ? 0 : 1) - first)});
        first = i + 1;
      }
    }
  }
  std::stable_sort(issues.begin(), issues.end(),
                   [](const Issue& a, const Issue& b) { return a.end->begin < b.end->begin; });
  return issues;
}

/// When it issues; "later" where that is behind the cycles watched, "after" for what the warp waits for at its end.
std::string cycle_text(const Issue& issue) {
  if (issue.has_issued()) {
    return with_thousands(issue.end->begin);
  }
  return issue.end->state == Stall::kDrain ? "after" : "later";
}

/// A digit for each four lanes, the highest first; what the guard leaves of them follows when it is less.
std::string lanes_text(const WatchInterval& event) {
  const std::string path = fmt::format("{:08x}", event.lanes);
  return event.lanes == event.lanes_on ? path : path + fmt::format(" on {:08x}", event.lanes_on);
}

/// "waited 21 L long_scoreboard for line 12: LDG.E.128 R4, [R2.64]"; "waited at least 21" where the cycles watched cut
/// it.
std::string wait_text(const WatchInterval& wait, std::span<const stats::PcResult> pcs, const TextOptions& options) {
  const stats::StallInfo& info = info_of(wait.state);
  constexpr std::size_t kIndent = 9;
  const bool is_cut = (wait.begin <= options.begin && options.begin > 0) || wait.end >= options.end;
  std::string text = fmt::format("waited {}{} {} {}", is_cut ? "at least " : "", with_thousands(wait.end - wait.begin),
                                 info.glyph, info.key);
  if (wait.producer < pcs.size()) {
    text += " for " + placed_text(pcs[wait.producer]);
  }
  return std::string(kIndent, ' ') +
         layout::paint(clipped(text, options.width - kIndent), layout::Style::kFaint, options) + "\n";
}

/// The lines of a table, the header first.
std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) {
    lines.push_back(line);
  }
  return lines;
}

std::string issue_list(Rows rows, std::span<const stats::PcResult> pcs, const TextOptions& options) {
  std::vector<Issue> issues = issues_of(rows);
  std::erase_if(issues, [&](const Issue& issue) { return issue.end->pc >= pcs.size(); });  // it may come from anywhere
  const std::size_t shown = options.details ? issues.size() : std::min(issues.size(), kIssuesListed);
  constexpr std::size_t kOtherColumns = 64;
  const std::size_t room = std::max<std::size_t>(16, options.width - std::min(options.width, kOtherColumns));
  layout::Table table("rlrrrll", {"cycle", "warp", "sub-core", "pc", "line", "lanes", "issued"});
  for (std::size_t i = 0; i < shown; ++i) {
    const WatchInterval& event = *issues[i].end;
    const stats::PcResult& pc = pcs[event.pc];
    table.add({cycle_text(issues[i]), warp_label(event), std::to_string(event.sub_core), fmt::format("{:#06x}", pc.pc),
               pc.line == 0 ? "-" : std::to_string(pc.line), lanes_text(event), clipped(printable(pc.opcode), room)});
  }
  const std::vector<std::string> lines = lines_of(table.to_text(options));
  std::string out = "\n" + lines.front() + "\n";
  for (std::size_t i = 0; i < shown; ++i) {
    out += lines[i + 1] + "\n";
    for (const WatchInterval& wait : issues[i].waits) {
      out += wait_text(wait, pcs, options);
    }
  }
  return shown == issues.size() ? out
                                : out + fmt::format("  and {} more (--details lists them)\n", issues.size() - shown);
}

/// What there is behind the timeline.
std::string simulated(const stats::Result& result, const TextOptions& options) {
  std::string text = "all kernels, to their ends";
  if (!result.complete && !result.kernels.empty()) {
    const char* const why = result.stopped_after_watch         ? "the run stopped there, behind the cycles to watch"
                            : !result.stopped_at_limit.empty() ? "there --max-cycles stopped it"
                                                               : "there it was interrupted";
    text = fmt::format("cycles 0 to {} of kernel {}; {}",
                       with_thousands(std::max<Cycle>(result.kernels.back().cycles, 1) - 1), result.kernels.size() - 1,
                       why);
  }
  return layout::paint(layout::wrapped("simulated: " + text, 0, options.width), layout::Style::kStrong, options);
}

}  // namespace

std::string to_text(const stats::Result& result, const TextOptions& options) {
  const std::vector<Row> all = rows_of(result.watch);
  std::string out;
  for (auto first = all.begin(); first != all.end();) {
    const WatchInterval& head = first->front();
    const auto last = std::find_if(first, all.end(), [&](const Row& row) {
      return row.front().kernel != head.kernel || row.front().sm != head.sm;
    });
    if (head.kernel >= result.kernels.size()) {
      break;
    }
    const stats::KernelResult& kernel = result.kernels[head.kernel];
    const Rows rows(first, last);
    out += layout::heading(
        fmt::format("Timeline of SM {}", head.sm),
        fmt::format("{}; warp slot, CTA.warp; one glyph per cycle", clipped(printable(kernel.name), 24)), options);
    out += lanes_of_time(rows, options) + legend(rows, options) + issue_list(rows, kernel.pcs, options);
    first = last;
  }
  return simulated(result, options) + (out.empty() ? "\nTimeline: no warp was resident in the cycles watched\n" : out);
}

}  // namespace gpusim::timeline
