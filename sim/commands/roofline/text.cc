// SPDX-License-Identifier: MIT
#include "sim/base/text.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>

#include <fmt/format.h>

#include "sim/commands/roofline/report.h"
#include "sim/output/plot/text_plot.h"

namespace gpusim::roofline {
namespace {

using layout::heading;
using layout::Look;
using layout::Table;

constexpr std::size_t kLongestName = 26;
/// How far the plot goes beyond its points and ridges.
constexpr double kMargin = 3;

/// "1.83 GHz (tensor_boost)".
std::string clock_text(const Ceiling& ceiling) {
  const std::string at = ceiling.clock == "memory" ? "the memory clock" : ceiling.clock;
  return fmt::format("{} ({})", with_si_prefix(ceiling.hertz, "Hz"), at);
}

/// "168 us".
std::string time_text(double seconds) {
  if (seconds >= 1) {
    return with_si_prefix(seconds, "s");
  }
  const bool micro = seconds < 1e-3;
  const bool nano = seconds < 1e-6;
  return with_si_prefix(seconds * (nano ? 1e9 : micro ? 1e6 : 1e3), nano ? "ns" : micro ? "us" : "ms");
}

std::string head_text(const Report& report, const Look& look) {
  std::string out = layout::paint(printable(report.roofs.machine), layout::Style::kStrong, look) + "\n";
  for (const Ceiling& compute : report.roofs.compute) {
    out += fmt::format("  {}: {} at {}\n", compute.name, with_si_prefix(compute.rate, word_of(compute.unit)),
                       clock_text(compute));
  }
  return out;
}

std::string levels_text(const Roofs& roofs, const Look& look) {
  std::vector<std::string> header{"level", "bandwidth"};
  for (const Ceiling& compute : roofs.compute) {
    header.push_back("ridge of " + compute.name);
  }
  header.insert(header.end(), {"at", ""});
  Table table("lr" + std::string(roofs.compute.size(), 'r') + "ll", header);
  for (const Ceiling& level : roofs.levels) {
    std::vector<std::string> cells{level.name, with_si_prefix(level.rate, word_of(level.unit))};
    for (const Ceiling& compute : roofs.compute) {
      cells.push_back(intensity_text(Roofs::ridge(compute, level)));
    }
    cells.insert(cells.end(), {clock_text(level), &level == &roofs.levels[roofs.level] ? "bytes counted here" : ""});
    table.add(cells);
  }
  return heading("Ridges", "FLOP/byte at which a level's bandwidth and the peak meet: more is compute-bound", look) +
         table.to_text(look);
}

/// Columns of the table of points. What a run reached takes the place of what it was given.
struct Columns {
  bool type = false;
  bool work = true;
  bool reached = false;
};

std::vector<std::string> header_of(const Columns& columns) {
  std::vector<std::string> header{"point"};
  const auto add = [&](bool wanted, std::initializer_list<const char*> names) {
    header.insert(header.end(), wanted ? names.begin() : names.end(), names.end());
  };
  add(columns.type, {"type"});
  add(columns.work, {"FLOP", "bytes"});
  add(true, {"FLOP/byte", "bound", "at most"});
  add(columns.work, {"of peak"});
  add(true, {"at least"});
  add(columns.reached, {"took", "reached", "of that"});
  return header;
}

std::vector<std::string> cells_of(const Roofs& roofs, const Work& work, const Columns& columns) {
  const Ceiling& compute = roofs.compute[work.compute];
  const Estimate e = estimate(roofs, work);
  std::vector<std::string> cells{clipped(printable(work.name), kLongestName)};
  if (columns.type) {
    cells.push_back(compute.name);
  }
  if (columns.work) {
    cells.insert(cells.end(), {with_si_prefix(work.flops, ""), with_si_prefix(work.bytes, "B")});
  }
  cells.insert(cells.end(), {intensity_text(e.intensity), std::string(to_text(e.bound)),
                             with_si_prefix(e.attainable, word_of(compute.unit))});
  if (columns.work) {
    cells.push_back(fmt::format("{:.1f} %", e.peak_pct));
  }
  cells.push_back(time_text(e.seconds));
  if (columns.reached) {
    const double reached = work.flops / work.seconds;
    cells.insert(cells.end(), {time_text(work.seconds), with_si_prefix(reached, word_of(compute.unit)),
                               fmt::format("{:.1f} %", 100.0 * reached / e.attainable)});
  }
  return cells;
}

std::string points_text(const Report& report, const Look& look) {
  const bool measured = std::ranges::any_of(report.points, [](const Work& work) { return work.seconds > 0; });
  const Columns columns{report.roofs.compute.size() > 1, !measured, measured};
  const std::vector<std::string> header = header_of(columns);
  std::string alignment;
  for (const std::string& name : header) {
    alignment += name == "point" || name == "type" || name == "bound" ? 'l' : 'r';
  }
  Table table(alignment, header);
  for (const Work& work : report.points) {
    table.add(cells_of(report.roofs, work, columns));
  }
  return heading("Bounds", "operations a second at most, and time at least", look) + table.to_text(look);
}

/// The intensities that the plot covers.
struct Span {
  double low;
  double high;
};

Span span_of(const Report& report) {
  const Roofs& roofs = report.roofs;
  Span span{HUGE_VAL, 0};
  const auto cover = [&](double intensity) {
    span.low = std::min(span.low, intensity / kMargin);
    span.high = std::max(span.high, intensity * kMargin);
  };
  for (const Ceiling& compute : roofs.compute) {
    cover(Roofs::ridge(compute, roofs.levels[roofs.level]));
  }
  std::ranges::for_each(report.points, cover, [](const Work& work) { return work.flops / work.bytes; });
  return span;
}

/// A slope up to the peak and the flat roof beyond; only the first one has both, so that the others can be seen.
std::vector<plot::Series> roof_lines(const Roofs& roofs, Span span) {
  std::vector<plot::Series> lines;
  const Ceiling& first = roofs.compute.front();
  const Ceiling& counted = roofs.levels[roofs.level];
  const auto slope = [&](const Ceiling& level) {
    return plot::Series{fmt::format("{} {}", level.name, with_si_prefix(level.rate, word_of(level.unit))),
                        {{span.low, span.low * level.rate}, {Roofs::ridge(first, level), first.rate}},
                        plot::Style::kLine};
  };
  lines.push_back(slope(counted));
  lines.back().name = fmt::format("{} under {}", lines.back().name, first.name);
  lines.back().points.push_back({span.high, first.rate});
  for (std::size_t i = 1; i < roofs.compute.size(); ++i) {
    const Ceiling& compute = roofs.compute[i];
    lines.push_back({compute.name,
                     {{Roofs::ridge(compute, counted), compute.rate}, {span.high, compute.rate}},
                     plot::Style::kLine});
  }
  std::vector<double> drawn{counted.rate};
  for (const Ceiling& level : roofs.levels) {
    if (level.rate <= 0 || Roofs::ridge(first, level) <= span.low) {
      continue;
    }
    if (std::ranges::find(drawn, level.rate) == drawn.end()) {
      drawn.push_back(level.rate);
      lines.push_back(slope(level));
    } else if (&level != &counted) {
      // L1 and shared memory are one memory on most GPUs.
      lines.back().name += " or " + level.name;
    }
  }
  return lines;
}

std::string plot_text(const Report& report, const Look& look) {
  constexpr plot::Size kSize{80, 18};
  const Roofs& roofs = report.roofs;
  const Span span = span_of(report);
  plot::Plot plot;
  plot.x = {"FLOP/byte of " + roofs.levels[roofs.level].name, plot::Scale::kLog10, plot::Ticks::kPlain, span.low,
            span.high};
  plot.y = {std::string(word_of(roofs.compute.front().unit)), plot::Scale::kLog10, plot::Ticks::kSi, {}, {}};
  plot.series = roof_lines(roofs, span);
  for (const Work& work : report.points) {
    const Estimate e = estimate(roofs, work);
    plot.labels.push_back({work.name, {e.intensity, work.seconds > 0 ? work.flops / work.seconds : e.attainable}});
  }
  return "\n" + plot::to_text(plot, kSize, look.unicode);
}

std::string operations_text(const Report& report, const Look& look, bool details) {
  const Shape& shape = *report.shape;
  std::string out = heading("Shapes", "", look);
  out += fmt::format("  batch B = {}, seq N = {}, heads H = {}, head-dim d = {}, hidden E = {}, ffn F = {}\n",
                     shape.batch, shape.seq, shape.heads, shape.head_dim, shape.hidden, shape.ffn);
  out += fmt::format("  FlashAttention blocks Br = {}, Bc = {}; {} bytes an element s; tokens T = B N\n",
                     shape.block_rows, shape.block_columns, shape.element_bytes);
  if (!details) {
    return out + "  (--details shows how each is counted; docs/roofline.md has the table)\n";
  }
  for (const Operation& op : operations()) {
    out += fmt::format("  {} ({})\n", op.name, op.shape) + layout::wrapped(op.assumes, 2 * layout::kIndent);
    out += fmt::format("    FLOPs {}\n    bytes {}\n", op.flops_formula, op.bytes_formula);
  }
  return out;
}

std::string trust_text(const Report& report, const Look& look) {
  std::string out;
  for (const std::string& remark : report.remarks) {
    out += layout::wrapped(remark, layout::kIndent);
  }
  std::string inferred;
  for (const arch::Guess& guess : report.guesses) {
    if (guess.kind == SourceKind::kGuess) {
      out += layout::wrapped(fmt::format("{} = {} is a guess: {}", guess.key, guess.value, printable(guess.source)),
                             layout::kIndent);
    } else {
      inferred += (inferred.empty() ? "" : ", ") + guess.key;
    }
  }
  if (!inferred.empty()) {
    out += layout::wrapped("Inferred, not quoted by the vendor: " + inferred, layout::kIndent);
  }
  return out.empty() ? out : heading("How far to trust this", "", look) + out;
}

}  // namespace

std::string to_text(const Report& report, const Look& look, bool details) {
  return head_text(report, look) + levels_text(report.roofs, look) + points_text(report, look) +
         plot_text(report, look) + (report.shape ? operations_text(report, look, details) : "") +
         trust_text(report, look);
}

}  // namespace gpusim::roofline
