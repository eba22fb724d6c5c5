// SPDX-License-Identifier: MIT
#include "sim/base/text.h"

#include <algorithm>
#include <limits>
#include <string_view>

#include <fmt/format.h>

#include "sim/commands/occupancy/analysis.h"
#include "sim/model/arch/schema.h"
#include "sim/output/plot/text_plot.h"
#include "sim/output/text/layout.h"

namespace gpusim::occupancy {
namespace {

using layout::Look;
using stats::Limiter;

/// "registers and shared memory".
std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    text += (i == 0 ? "" : i + 1 == words.size() ? " and " : ", ") + words[i];
  }
  return text;
}

std::string_view words_of(Limiter limiter) {
  constexpr std::array<std::string_view, 5> kWords{"warps", "registers", "shared memory", "CTA slots", "barriers"};
  return kWords[static_cast<std::size_t>(limiter)];
}

std::string verdict(const Analysis& analysis) {
  const stats::Occupancy& occupancy = analysis.residency.occupancy;
  if (occupancy.ctas_per_sm == 0) {
    return "does not fit: not even one CTA";
  }
  std::vector<std::string> limits;
  for (const Limiter limiter : occupancy.limiters) {
    limits.emplace_back(words_of(limiter));
  }
  return fmt::format("{} an SM, {} of {} warps: {:.4g} %, limited by {}", counted(occupancy.ctas_per_sm, "CTA"),
                     occupancy.ctas_per_sm * occupancy.warps_per_cta, occupancy.max_warps_per_sm,
                     occupancy.theoretical_pct(), joined(limits));
}

std::string launch_text(const LaunchShape& shape) {
  std::string text = fmt::format("{} a thread, {} and {} bytes of shared memory ({} static + {} dynamic) a CTA",
                                 counted(shape.registers_per_thread, "register"),
                                 counted(shape.threads_per_cta, "thread"), with_thousands(shape.shared_bytes()),
                                 with_thousands(shape.static_shared_bytes), with_thousands(shape.dynamic_shared_bytes));
  text += ", " + counted(shape.barriers, "barrier") + (shape.opt_in ? ", opted in" : ", not opted in");
  return text + (shape.carveout_percent == kDriversCarveout ? std::string()
                                                            : fmt::format(", carve-out {} %", shape.carveout_percent));
}

std::string excess_text(const Analysis& analysis) {
  std::string text;
  for (const Excess& excess : analysis.excesses) {
    text += layout::wrapped(fmt::format("{}: {}; {}, {} too many", words_of(excess.limiter), excess.what, excess.limit,
                                        counted(excess.over, excess.unit)),
                            layout::kIndent);
  }
  return text;
}

/// How a resource is divided, in words.
std::string division(const Analysis& analysis, Limiter limiter) {
  const arch::SmConfig& sm = analysis.sm;
  const LaunchShape& shape = analysis.shape;
  switch (limiter) {
    case Limiter::kWarps:
      return fmt::format("{} of {} a CTA", counted(sm.limits.warps_per_sm, "warp"), shape.warps_per_cta());
    case Limiter::kRegisters: {
      const std::uint64_t a_warp = analysis.residency.registers_per_cta / shape.warps_per_cta();
      return fmt::format("{} sub-cores of {} registers each, {} a warp", sm.sub_cores,
                         with_thousands(sm.limits.registers_per_sm / sm.sub_cores), with_thousands(a_warp));
    }
    case Limiter::kSharedMem: {
      const bool is_drivers = shape.carveout_percent == kDriversCarveout;
      const std::uint64_t most =
          is_drivers ? sm.shared.carveouts.back() : analysis.residency.occupancy.shared_carveout_bytes;
      return fmt::format("{} bytes, {} a CTA", with_thousands(most),
                         with_thousands(analysis.residency.shared_bytes_per_cta));
    }
    case Limiter::kBlocks: return "the most an SM keeps";
    case Limiter::kBarriers: break;
  }
  return sm.limits.barriers_per_sm == 0
             ? "no limit of this GPU"
             : fmt::format("{} barriers, {} a CTA", sm.limits.barriers_per_sm, shape.barriers);
}

std::string limits_text(const Analysis& analysis, const Look& look) {
  const stats::Occupancy& occupancy = analysis.residency.occupancy;
  layout::Table table("lrll", {"limit", "CTAs", "", "of"});
  for (std::size_t i = 0; i < occupancy.limit.size(); ++i) {
    const std::uint32_t limit = occupancy.limit[i];
    const bool is_limit = limit != std::numeric_limits<std::uint32_t>::max();
    table.add({std::string(stats::kLimiterNames[i]), is_limit ? std::to_string(limit) : "none",
               limit == occupancy.ctas_per_sm ? "<- binds" : "", division(analysis, static_cast<Limiter>(i))});
  }
  return layout::heading("Limits", "CTAs an SM that each resource alone would hold", look) + table.to_text(look);
}

std::string allocation_text(const Analysis& analysis, const Look& look) {
  const arch::SmConfig& sm = analysis.sm;
  const stats::Occupancy& occupancy = analysis.residency.occupancy;
  const std::uint32_t unit = sm.limits.register_allocation_unit;
  layout::Table table("lrl", {"resource", "allocated", ""});
  table.add({"registers", with_thousands(analysis.residency.registers_per_cta),
             fmt::format("a CTA, in units of {} a warp", unit)});
  table.add({"shared memory", with_thousands(analysis.residency.shared_bytes_per_cta),
             fmt::format("bytes a CTA, {} of them the driver's, in units of {}",
                         with_thousands(sm.shared.reserved_per_cta), sm.shared.allocation_unit)});
  table.add({"carve-out", with_binary_prefix(occupancy.shared_carveout_bytes),
             analysis.shape.carveout_percent == kDriversCarveout
                 ? "an SM as shared memory, the smallest that costs no CTA"
                 : "an SM as shared memory, as asked for"});
  table.add({"L1", with_binary_prefix(occupancy.l1_bytes),
             fmt::format("an SM, what is left of {}", with_binary_prefix(sm.l1.unified_bytes))});
  std::string text = layout::heading("Allocation", "", look) + table.to_text(look);
  if (analysis.clusters) {
    text +=
        layout::wrapped(fmt::format("Clusters of {}: the GPU holds {} at once, {}.",
                                    counted(analysis.shape.ctas_per_cluster, "CTA"), with_thousands(*analysis.clusters),
                                    counted(*analysis.clusters * analysis.shape.ctas_per_cluster, "CTA")),
                        layout::kIndent);
  }
  return text;
}

std::string value_text(Knob knob, std::uint64_t value) {
  switch (knob) {
    case Knob::kBlock: return counted(value, "thread") + " a CTA";
    case Knob::kRegisters: return counted(value, "register") + " a thread";
    case Knob::kSharedMem: return counted(value, "byte") + " of shared memory a CTA";
    case Knob::kBarriers: break;
  }
  return counted(value, "barrier") + " a CTA";
}

/// "168 -> 160 registers a thread (4.8 % fewer)".
std::string change_text(const Change& change) {
  const auto from = static_cast<double>(change.from);
  const bool is_less = change.to < change.from;
  const double pct =
      100.0 * (is_less ? from - static_cast<double>(change.to) : static_cast<double>(change.to) - from) / from;
  return fmt::format("{} instead of {} ({:.3g} % {})", value_text(change.knob, change.to), with_thousands(change.from),
                     pct,
                     !is_less                          ? "more"
                     : change.knob == Knob::kSharedMem ? "less"
                                                       : "fewer");
}

/// "3 CTAs an SM"; with their warps where a change of the block makes them others.
std::string ctas_text(std::uint32_t ctas, std::uint64_t warps_per_cta, bool with_warps) {
  return counted(ctas, "CTA") + (with_warps ? " of " + counted(warps_per_cta, "warp") : std::string());
}

std::string proposal_text(const Analysis& analysis, const Proposal& proposal) {
  const stats::Occupancy& now = analysis.residency.occupancy;
  std::vector<std::string> changes;
  std::uint64_t warps_then = now.warps_per_cta;
  for (const Change& change : proposal.changes) {
    changes.push_back(change_text(change));
    warps_then = change.knob == Knob::kBlock ? change.to / kWarpLanes : warps_then;
  }
  const bool with_warps = warps_then != now.warps_per_cta;
  return fmt::format("{}: {} an SM instead of {}, {:.4g} -> {:.4g} %", joined(changes),
                     ctas_text(proposal.ctas_per_sm, warps_then, with_warps),
                     with_warps ? ctas_text(now.ctas_per_sm, now.warps_per_cta, true) : std::to_string(now.ctas_per_sm),
                     now.theoretical_pct(), proposal.occupancy_pct);
}

std::string proposals_text(const Analysis& analysis, const Look& look) {
  constexpr double kAll = 100;
  std::string text = layout::heading("What would raise it", "the cheapest change first", look);
  if (analysis.proposals.empty()) {
    const bool is_full = analysis.residency.occupancy.theoretical_pct() >= kAll;
    text +=
        layout::wrapped(is_full                      ? "Nothing can: every warp slot is taken."
                        : !analysis.excesses.empty() ? "No one change: all that forbid the launch have to go."
                                                     : "No change of registers, shared memory, block size or barriers "
                                                       "alone, nor of the resources together.",
                        layout::kIndent);
  }
  for (const Proposal& proposal : analysis.proposals) {
    text += layout::wrapped("- " + proposal_text(analysis, proposal), layout::kIndent);
  }
  for (const std::string& note : analysis.notes) {
    text += layout::wrapped("- " + note, layout::kIndent);
  }
  return text;
}

plot::Plot curve_plot(const Analysis& analysis, std::size_t index) {
  constexpr std::array<std::string_view, 3> kTitles{"threads a CTA", "registers a thread",
                                                    "bytes of shared memory a CTA"};
  const Knob knob = kCurves[index];
  plot::Plot plot;
  plot.title = "Occupancy over " + std::string(kTitles[index]);
  plot.x.title = kTitles[index];
  plot.x.ticks = knob == Knob::kSharedMem ? plot::Ticks::kBinary : plot::Ticks::kEven;
  plot.y = {.title = "%", .scale = plot::Scale::kLinear, .ticks = plot::Ticks::kPlain, .low = 0, .high = {}};
  plot::Series series{"occupancy", {}, plot::Style::kSteps};
  // Allocations are rounded up, so a point's occupancy holds from the value before it.
  double before = 0;
  for (const Point& point : analysis.curves[index]) {
    series.points.push_back({before, point.occupancy_pct});
    before = static_cast<double>(point.value);
  }
  series.points.push_back({before, analysis.curves[index].back().occupancy_pct});
  if (std::ranges::all_of(series.points, [](const plot::Point& point) { return point.y == 0; })) {
    plot.y.high = 100;
  }
  plot.series.push_back(std::move(series));
  const std::uint64_t now = value_of(analysis.shape, knob);
  plot.labels.push_back({knob == Knob::kSharedMem ? with_binary_prefix(now) : with_thousands(now),
                         {static_cast<double>(now), analysis.residency.occupancy.theoretical_pct()}});
  return plot;
}

std::string curves_text(const Analysis& analysis, const Look& look) {
  constexpr plot::Size kSize{layout::kPageWidth, 9};
  std::string text;
  for (std::size_t i = 0; i < analysis.curves.size(); ++i) {
    text += "\n" + plot::to_text(curve_plot(analysis, i), kSize, look.unicode);
  }
  return text;
}

std::string guesses_text(const Analysis& analysis, const Look& look) {
  if (analysis.guesses.empty()) {
    return {};
  }
  std::string text = layout::heading("Guesses", "values of the architecture that this rests on", look);
  for (const arch::Guess& guess : analysis.guesses) {
    text += layout::wrapped(
        fmt::format("{} = {} ({}): {}", guess.key, guess.value, source_kind_text(guess.kind), printable(guess.source)),
        layout::kIndent);
  }
  return text;
}

}  // namespace

std::string to_text(const Analysis& analysis, const Look& look) {
  const bool is_experimental = analysis.arch_maturity != "stable";
  const std::string name = printable(analysis.arch_name) + (is_experimental ? " (experimental)" : "");
  std::string text = layout::paint(layout::wrapped(name + ": " + verdict(analysis), 0), layout::Style::kStrong, look);
  text += layout::wrapped(launch_text(analysis.shape), layout::kIndent) + excess_text(analysis);
  text += limits_text(analysis, look) + allocation_text(analysis, look) + proposals_text(analysis, look);
  return text + curves_text(analysis, look) + guesses_text(analysis, look);
}

}  // namespace gpusim::occupancy
