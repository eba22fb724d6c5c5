// SPDX-License-Identifier: MIT
// What bounds a kernel: units, rooflines, occupancy, pipes.
#include "sim/output/report/sections.h"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "sim/base/text.h"
#include "sim/model/stats/kernel_counts.h"
#include "sim/model/stats/occupancy.h"
#include "sim/output/report/section_text.h"
#include "sim/output/view/roofs.h"

namespace gpusim::report {
namespace {

constexpr std::size_t kLongestBar = 34;
constexpr std::size_t kShortestBar = 8;

/// "bf16 tensor" for "tensor_bf16".
std::string class_name(isa::FlopClass c) {
  const std::string name(isa::kFlopClassNames[static_cast<std::size_t>(c)]);
  return isa::is_tensor(c) ? name.substr(name.find('_') + 1) + " tensor" : name;
}

/// What stands over a class of FLOPs; `level` is null where nothing moved.
std::vector<std::string> roof_cells(const RoofRow& row, const RoofLevel* level) {
  const bool slopes = level != nullptr && is_memory_side(row, *level);
  return {class_name(row.flop_class),
          with_si_prefix(row.flops_per_second, "FLOP/s"),
          with_si_prefix(row.peak_flops_per_second, "FLOP/s"),
          decimal(percent(row.flops_per_second, row.peak_flops_per_second), 1),
          level == nullptr ? "-" : std::string(level->name),
          level == nullptr ? "-" : decimal(*level->intensity, 2),
          level == nullptr ? "-" : decimal(ridge_of(row, *level), 2),
          slopes ? "sloped: memory" : "flat: compute"};
}

/// Each level that moved something, without repeating what is said of the class.
void add_levels(const RoofRow& row, layout::Table& table) {
  bool first = true;
  for (const RoofLevel& level : row.levels) {
    if (level.intensity) {
      std::vector<std::string> cells = roof_cells(row, &level);
      std::fill_n(cells.begin(), first ? 0 : 4, "");
      table.add(std::move(cells));
      first = false;
    }
  }
  if (first) {
    table.add(roof_cells(row, nullptr));
  }
}

/// Names the traffic that the roofline shows when there is no DRAM traffic; empty when there is some.
std::string idle_dram_text(const KernelView& view) {
  if (view.levels.back().bytes > 0) {
    return {};
  }
  const RoofLevel* const level = lowest_roof(view.roofs.front());
  return level == nullptr ? "no memory traffic: only the flat roof stands over the kernel"
                          : fmt::format("no DRAM traffic: the roofline is that of {}", level->name);
}

std::string limit_text(const stats::Occupancy& occupancy, std::size_t i) {
  if (occupancy.limit[i] == std::numeric_limits<std::uint32_t>::max()) {
    return "-";
  }
  const auto& limiters = occupancy.limiters;
  const bool limits = std::find(limiters.begin(), limiters.end(), static_cast<stats::Limiter>(i)) != limiters.end();
  return std::to_string(occupancy.limit[i]) + (limits ? "*" : "");
}

}  // namespace

std::string speed_of_light_section(const KernelView& view, const TextOptions& options) {
  std::size_t longest_note = 0;
  for (const UnitRow& unit : view.units) {
    longest_note = std::max(longest_note, unit.note.size());
  }
  // What the other columns leave, with the gaps between them.
  constexpr std::size_t kNameAndShare = 27;
  const std::size_t room = options.width - std::min(options.width, kNameAndShare + longest_note);
  const std::size_t bar_width = std::clamp(room, kShortestBar, kLongestBar);
  layout::Table table("lrlL", {"unit", "%", "", ""});
  for (const UnitRow& unit : view.units) {
    const bool bounds = unit.bound == view.bound;
    table.add({marked(std::string(unit.name), bounds, options), marked(decimal(unit.pct, 1), bounds, options),
               layout::bar(unit.pct, bar_width, options), unit.note});
  }
  return layout::heading("Speed of light", "share of each unit's peak, of elapsed cycles", options) +
         table.to_text(options);
}

std::string roofline_section(const KernelView& view, const TextOptions& options) {
  const std::string head =
      layout::heading("Roofline",
                      options.details ? "FLOP per byte, by class of FLOP and level of the memory hierarchy"
                                      : "FLOP per byte, by class of FLOP, of the level whose roof is lowest",
                      options);
  if (view.roofs.empty()) {
    return head + "  no floating-point work\n";
  }
  layout::Table table("lrRrlrrl", {"class", "reached", "peak", "%", "level", "FLOP/byte", "ridge", "roof above it"});
  for (const RoofRow& row : view.roofs) {
    if (options.details) {
      add_levels(row, table);
    } else {
      table.add(roof_cells(row, lowest_roof(row)));
    }
  }
  return head + sentence(idle_dram_text(view), options) + table.to_text(options);
}

std::string occupancy_section(const KernelView& view, const TextOptions& options) {
  const stats::Occupancy& occupancy = view.counts.occupancy;
  std::string limits = "CTAs an SM by";
  for (std::size_t i = 0; i < stats::kLimiterNames.size(); ++i) {
    limits += fmt::format("{} {} {}", i == 0 ? "" : ",", stats::kLimiterNames[i], limit_text(occupancy, i));
  }
  const std::string clusters =
      occupancy.resident_clusters == 0
          ? ""
          : sentence(fmt::format("{} clusters of {} CTAs on the GPU at once",
                                 with_thousands(occupancy.resident_clusters), view.counts.cluster.volume()),
                     options);
  return layout::heading("Occupancy", "* limits", options) +
         sentence(fmt::format("theoretical {:.1f} % ({} x {} warps of {}), achieved {:.1f} % of active cycles; {:.2f} "
                              "waves of CTAs",
                              occupancy.theoretical_pct(), occupancy.ctas_per_sm, occupancy.warps_per_cta,
                              occupancy.max_warps_per_sm, view.achieved_pct, view.waves),
                  options) +
         sentence(limits, options) + clusters +
         sentence(
             fmt::format("{} registers a thread, {} of shared memory a CTA; carve-out {}, L1 {}",
                         view.counts.registers_per_thread, with_binary_prefix(view.counts.shared_bytes_per_cta),
                         with_binary_prefix(occupancy.shared_carveout_bytes), with_binary_prefix(occupancy.l1_bytes)),
             options);
}

std::string pipes_section(const KernelView& view, const TextOptions& options) {
  layout::Table table("lrrl", {"pipe", "instructions", "% busy", ""});
  for (const PipeRow& row : view.pipes) {
    table.add({std::string(row.name), with_thousands(row.instructions), decimal(row.busy_pct, 1),
               layout::bar(row.busy_pct, kStateBarWidth, options)});
  }
  return layout::heading("Pipes", "share of elapsed sub-core cycles", options) + table.to_text(options);
}

}  // namespace gpusim::report
