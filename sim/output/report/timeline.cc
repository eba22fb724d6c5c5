// SPDX-License-Identifier: MIT
// The text timeline: what --watch prints.
#include <algorithm>
#include <set>
#include <span>
#include <tuple>

#include <fmt/format.h>

#include "sim/base/text.h"
#include "sim/output/report/writers.h"

namespace gpusim::report {
namespace {

using stats::WatchInterval;

/// Cycles a line of the timeline covers, and the distance between marks of its ruler.
constexpr Cycle kCyclesPerLine = 80;
constexpr Cycle kMark = 10;
constexpr std::size_t kLabelWidth = 16;
/// More issues than this are counted, not listed, unless details are asked for.
constexpr std::size_t kIssuesListed = 200;

/// One warp's intervals, adjacent in Result::watch.
using Row = std::span<const WatchInterval>;

auto identity(const WatchInterval& i) {
  return std::tuple(i.kernel, i.sm, i.warp_slot, i.cta, i.warp);
}

std::vector<Row> rows_of(std::span<const WatchInterval> watch) {
  std::vector<Row> rows;
  for (std::size_t begin = 0; begin < watch.size();) {
    std::size_t end = begin;
    while (end < watch.size() && identity(watch[end]) == identity(watch[begin])) {
      ++end;
    }
    rows.push_back(watch.subspan(begin, end - begin));
    begin = end;
  }
  return rows;
}

std::string label(const WatchInterval& i) {
  return clipped(fmt::format("w{} {}.{}", i.warp_slot, i.cta, i.warp), kLabelWidth - 2);
}

/// The row's glyphs over [from, from + kCyclesPerLine); blank where the warp is not resident.
std::string glyphs(Row row, Cycle from) {
  std::string line(kCyclesPerLine, ' ');
  // The first interval that ends after `from`; the row is sorted, so only those on this line are visited.
  auto at = std::upper_bound(row.begin(), row.end(), from, [](Cycle c, const WatchInterval& i) { return c < i.end; });
  for (; at != row.end() && at->begin < from + kCyclesPerLine; ++at) {
    const Cycle begin = std::max(at->begin, from);
    const Cycle end = std::min(at->end, from + kCyclesPerLine);
    const char glyph = stats::kStalls[static_cast<std::size_t>(at->state)].glyph;
    std::fill(line.begin() + static_cast<std::ptrdiff_t>(begin - from),
              line.begin() + static_cast<std::ptrdiff_t>(end - from), glyph);
  }
  return line;
}

std::string ruler(Cycle from, const TextOptions& options) {
  std::string numbers(kLabelWidth, ' ');
  std::string marks(kLabelWidth, ' ');
  for (Cycle c = 0; c < kCyclesPerLine; c += kMark) {
    // Long numbers take every second mark.
    const bool crowded = std::to_string(from + c).size() >= kMark;
    numbers += fmt::format("{:<{}}", crowded && c / kMark % 2 == 1 ? "" : std::to_string(from + c),
                           crowded && c / kMark % 2 == 1 ? 0 : (crowded ? 2 * kMark : kMark));
    marks += fmt::format("{:<{}}", "|", kMark);
  }
  const auto trimmed = [](std::string line) {
    line.erase(line.find_last_not_of(' ') + 1);
    return line;
  };
  return layout::paint(trimmed(numbers), layout::Style::kFaint, options) + "\n" +
         layout::paint(trimmed(marks), layout::Style::kFaint, options) + "\n";
}

std::string lanes_of_time(const std::vector<Row>& rows, const TextOptions& options) {
  Cycle begin = kNever;
  Cycle end = 0;
  for (const Row& row : rows) {
    begin = std::min(begin, row.front().begin);
    end = std::max(end, row.back().end);
  }
  std::string out;
  for (Cycle from = begin / kMark * kMark; from < end; from += kCyclesPerLine) {
    out += (out.empty() ? "" : "\n") + ruler(from, options);
    for (const Row& row : rows) {
      std::string line = fmt::format("  {:<{}}", label(row.front()), kLabelWidth - 2) + glyphs(row, from);
      line.erase(line.find_last_not_of(' ') + 1);
      out += line + "\n";
    }
  }
  return out;
}

std::string legend(const std::vector<Row>& rows, const TextOptions& options) {
  std::set<stats::Stall> used;
  for (const Row& row : rows) {
    for (const WatchInterval& i : row) {
      used.insert(i.state);
    }
  }
  layout::Table table("lll", {"glyph", "state", "the warp waits for"});
  for (const stats::Stall state : used) {
    const stats::StallInfo& info = stats::kStalls[static_cast<std::size_t>(state)];
    table.add({std::string(1, info.glyph), std::string(info.key), std::string(info.what)});
  }
  return "\n" + table.to_text(options);
}

std::vector<const WatchInterval*> issues(const std::vector<Row>& rows) {
  std::vector<const WatchInterval*> events;
  for (const Row& row : rows) {
    for (const WatchInterval& i : row) {
      if (i.state == stats::Stall::kSelected) {
        events.push_back(&i);
      }
    }
  }
  std::stable_sort(events.begin(), events.end(),
                   [](const WatchInterval* a, const WatchInterval* b) { return a->begin < b->begin; });
  return events;
}

/// A digit for each four lanes, the highest first; what the guard leaves of them follows when it is less.
std::string lanes_text(const WatchInterval& event) {
  const std::string path = fmt::format("{:08x}", event.lanes);
  return event.lanes == event.lanes_on ? path : path + fmt::format(" on {:08x}", event.lanes_on);
}

std::string issue_list(const std::vector<Row>& rows, std::span<const stats::PcResult> pcs, const TextOptions& options) {
  const std::vector<const WatchInterval*> events = issues(rows);
  const std::size_t shown = options.details ? events.size() : std::min(events.size(), kIssuesListed);
  layout::Table table("rlrrrll", {"cycle", "warp", "sub-core", "pc", "line", "lanes", "issued"});
  for (std::size_t i = 0; i < shown; ++i) {
    const WatchInterval& event = *events[i];
    if (event.pc >= pcs.size()) {
      continue;  // a Result may have come from anywhere
    }
    const stats::PcResult& pc = pcs[event.pc];
    table.add({with_thousands(event.begin), label(event), std::to_string(event.sub_core), fmt::format("{:#06x}", pc.pc),
               pc.line == 0 ? "-" : std::to_string(pc.line), lanes_text(event), clipped(printable(pc.opcode), 40)});
  }
  std::string out = "\n" + table.to_text(options);
  return shown == events.size() ? out
                                : out + fmt::format("  and {} more (--details lists them)\n", events.size() - shown);
}

}  // namespace

std::string write_timeline(const View& view, const TextOptions& options) {
  const std::vector<Row> all = rows_of(view.watch);
  std::string out;
  for (auto first = all.begin(); first != all.end();) {
    const WatchInterval& head = first->front();
    const auto last = std::find_if(first, all.end(), [&](const Row& row) {
      return row.front().kernel != head.kernel || row.front().sm != head.sm;
    });
    if (head.kernel >= view.kernels.size()) {
      break;
    }
    const KernelView& kernel = view.kernels[head.kernel];
    const std::vector<Row> rows(first, last);
    out += layout::heading(
        fmt::format("Timeline of SM {}", head.sm),
        fmt::format("{}; a glyph a cycle; warp slot, CTA.warp", clipped(printable(kernel.counts.name), 40)), options);
    out += lanes_of_time(rows, options) + legend(rows, options) + issue_list(rows, kernel.instructions, options);
    first = last;
  }
  return out.empty() ? "\nTimeline: no warp was resident in the cycles watched\n" : out;
}

}  // namespace gpusim::report
