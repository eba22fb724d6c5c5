// SPDX-License-Identifier: MIT
#include "sim/commands/sweep/text.h"

#include <algorithm>
#include <set>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "sim/base/text.h"
#include "sim/commands/sweep/formula/quantity.h"
#include "sim/commands/sweep/run/prepare.h"
#include "sim/commands/sweep/run/run.h"
#include "sim/commands/sweep/store/store.h"

namespace gpusim::commands {
namespace {

using sweep::TextPairs;

std::string joined(const TextPairs& pairs) {
  std::string out;
  for (const auto& [name, value] : pairs) {
    out += (out.empty() ? "" : ", ") + name + "=" + value;
  }
  return printable(out);
}

/// The columns that say which point a row is: those that differ between points.
struct NameColumns {
  explicit NameColumns(const sweep::Study& study)
      : has_arch(study.archs.size() > 1),
        has_trace(study.traces.size() > 1),
        arch_title(study.keys == nullptr ? "arch" : "system"),
        trace_title(study.keys == nullptr ? "trace" : "application") {
    for (const sweep::Axis& axis : study.axes) {
      keys.push_back(axis.key);
    }
  }
  void add_headers(std::string& alignment, std::vector<std::string>& header) const {
    alignment += std::string(std::size_t{has_arch} + std::size_t{has_trace}, 'l') + std::string(keys.size(), 'r');
    has_arch ? header.push_back(arch_title) : void();
    has_trace ? header.push_back(trace_title) : void();
    header.insert(header.end(), keys.begin(), keys.end());
  }
  void add_cells(const sweep::PointRow& row, std::vector<std::string>& cells) const {
    has_arch ? cells.push_back(printable(row.arch)) : void();
    has_trace ? cells.push_back(printable(row.trace)) : void();
    for (const std::string& key : keys) {
      const std::string* const text = sweep::find_text(row.parameters, key);
      cells.push_back(text == nullptr ? "" : printable(*text));
    }
  }

  /// The table of such rows, in which each key's column has one unit; `in_front`: columns before those of names.
  [[nodiscard]] layout::Table table(const std::string& alignment, const std::vector<std::string>& header,
                                    std::vector<std::vector<std::string>> rows, std::size_t in_front) const {
    const std::size_t begin = in_front + std::size_t{has_arch} + std::size_t{has_trace};
    sweep::give_one_unit(rows, begin, begin + keys.size());
    layout::Table table(alignment, header);
    std::ranges::for_each(rows, [&table](std::vector<std::string>& row) { table.add(std::move(row)); });
    return table;
  }

  bool has_arch;
  bool has_trace;
  std::string arch_title;
  std::string trace_title;
  std::vector<std::string> keys;
};

/// "4 min" from seconds.
std::string duration(double seconds) {
  constexpr double kMinute = 60;
  constexpr double kHour = 3600;
  if (seconds < 2 * kMinute) {
    return fmt::format("{:.0f} s", seconds);
  }
  return seconds < 2 * kHour ? fmt::format("{:.0f} min", seconds / kMinute) : fmt::format("{:.1f} h", seconds / kHour);
}

}  // namespace

std::string point_name(const sweep::PointRow& row, const sweep::Study& study) {
  std::string out = study.archs.size() > 1 ? printable(row.arch) : "";
  if (study.traces.size() > 1) {
    out += (out.empty() ? "" : ", ") + printable(row.trace);
  }
  const std::string values = joined(row.parameters);
  out += (out.empty() || values.empty() ? "" : ", ") + values;
  return out.empty() ? "the point" : out;
}

std::string derived_text(const std::vector<sweep::Candidate>& points, const sweep::Study& study, std::size_t most) {
  constexpr std::size_t kDerivedWidth = 90;  // a screen's line behind "gpusim: info: "
  std::string out;
  std::set<TextPairs> seen;
  std::size_t more = 0;
  for (const sweep::Candidate& point : points) {
    const TextPairs& derived = point.row.derived;
    if (derived.empty() || !seen.insert(derived).second) {
      continue;
    }
    if (seen.size() > most) {
      ++more;
    } else {
      out += clipped(point_name(point.row, study) + ": " + joined(derived), kDerivedWidth) + "\n";
    }
  }
  return more == 0 ? out : out + "and " + counted(more, "combination") + " more; --dry-run shows all\n";
}

std::string plan_text(const std::vector<PlannedPoint>& points, const sweep::Study& study, const layout::Look& look) {
  const NameColumns names(study);
  std::string alignment = "r";
  std::vector<std::string> header{"#"};
  names.add_headers(alignment, header);
  header.insert(header.end(), {"state", "what follows, or why not"});
  std::vector<std::vector<std::string>> rows;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const sweep::PointRow& row = *points[i].row;
    std::vector<std::string> cells{std::to_string(i + 1)};
    names.add_cells(row, cells);
    cells.push_back(points[i].state);
    cells.push_back(row.reason.empty() ? joined(row.derived) : printable(row.reason));
    rows.push_back(std::move(cells));
  }
  return names.table(alignment + "ll", header, std::move(rows), 1).to_text(look);
}

std::string studies_text(const std::vector<sweep::StudyInfo>& studies, const layout::Look& look) {
  layout::Table table("rlrrrrr", {"N", "study", "points", "done", "failed", "skipped", "not run yet"});
  for (const sweep::StudyInfo& study : studies) {
    std::vector<std::string> cells{std::to_string(study.id), printable(study.name)};
    for (const std::uint64_t count : {study.points, study.done, study.failed, study.skipped, study.missing()}) {
      cells.push_back(with_thousands(count));
    }
    table.add(std::move(cells));
  }
  return table.to_text(look);
}

std::string points_text(const std::vector<sweep::PointRow>& rows, const sweep::Study& study, const layout::Look& look,
                        std::size_t most) {
  constexpr std::size_t kReasonWidth = 60;
  const NameColumns names(study);
  std::string alignment;
  std::vector<std::string> header;
  names.add_headers(alignment, header);
  header.insert(header.end(), {"cycles", "time us", "bound", "status"});
  std::vector<std::vector<std::string>> shown;
  for (const sweep::PointRow& row : std::span(rows).first(std::min(most, rows.size()))) {
    std::vector<std::string> cells;
    names.add_cells(row, cells);
    const bool done = row.status == sweep::kDone;
    cells.push_back(done ? with_thousands(row.cycles) : "");
    cells.push_back(done ? fmt::format("{:.2f}", row.time_us) : "");
    cells.push_back(row.bound);
    cells.push_back(done ? row.status : row.status + ": " + clipped(printable(row.reason), kReasonWidth));
    shown.push_back(std::move(cells));
  }
  std::string out = names.table(alignment + "rrll", header, std::move(shown), 0).to_text(look);
  if (rows.size() > most) {
    out += "and " + counted(rows.size() - most, "point") + " more\n";
  }
  return out;
}

std::string sweep_progress_text(const sweep::Tally& tally, double seconds) {
  constexpr double kBarWidth = 20;
  constexpr double kNearlyNothing = 1e-9;
  const double share = std::clamp(1 - tally.work_left, 0.0, 1.0);
  const auto filled = static_cast<std::size_t>(share * kBarWidth);
  const std::uint64_t ended = tally.done + tally.failed;
  std::string out = fmt::format("[{}{}] {} of {}", std::string(filled, '#'),
                                std::string(static_cast<std::size_t>(kBarWidth) - filled, '.'),
                                ended + tally.known + tally.skipped, counted(tally.points, "point"));
  if (tally.failed > 0) {
    out += fmt::format(", {} failed", tally.failed);
  }
  out += fmt::format(", {} running", tally.running);
  if (ended > 0 && share > kNearlyNothing) {
    const double rate = static_cast<double>(ended) / std::max(seconds, kNearlyNothing);
    out += rate >= 1 ? fmt::format("  {:.1f} a second", rate) : fmt::format("  {:.1f} a minute", rate * 60);
    out += fmt::format("  {} left", duration(seconds * (1 - share) / share));
  }
  return out;
}

}  // namespace gpusim::commands
