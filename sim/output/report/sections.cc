// SPDX-License-Identifier: MIT
#include "sim/output/report/sections.h"

#include <algorithm>
#include <array>
#include <limits>

#include <fmt/format.h>

#include "sim/base/text.h"
#include "sim/output/view/roofs.h"

namespace gpusim::report {
namespace {

constexpr std::size_t kBarWidth = 34;
constexpr std::size_t kStateBarWidth = 12;  // leaves room for the longest explanation within 100 columns
/// States below this share of the warps' time are summed into one row, unless details are asked for.
constexpr double kShownSharePct = 0.05;
constexpr std::size_t kLinesShown = 10;
constexpr std::size_t kProducersShown = 4;
constexpr std::size_t kInstructionWidth = 22;
constexpr std::size_t kLineNameWidth = 17;
constexpr std::size_t kLinesShownInDetail = 40;

std::string decimal(double value, int digits) {
  return fmt::format("{:.{}f}", value, digits);
}

/// "1.77 MB", and plain "0 B".
std::string amount(double value, std::string_view unit) {
  return value == 0 ? "0 " + std::string(unit) : with_si_prefix(value, unit);
}

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

/// Of which traffic the roofline speaks where DRAM has none.
std::string idle_dram_text(const KernelView& view) {
  if (view.levels.back().bytes > 0) {
    return {};
  }
  const RoofLevel* const level = lowest_roof(view.roofs.front());
  return level == nullptr ? "  no memory traffic: only the flat roof stands over the kernel\n"
                          : fmt::format("  no DRAM traffic: the roofline is that of {}\n", level->name);
}

std::string limit_text(const stats::Occupancy& occupancy, std::size_t i) {
  if (occupancy.limit[i] == std::numeric_limits<std::uint32_t>::max()) {
    return "-";
  }
  const auto& limiters = occupancy.limiters;
  const bool limits = std::find(limiters.begin(), limiters.end(), static_cast<stats::Limiter>(i)) != limiters.end();
  return std::to_string(occupancy.limit[i]) + (limits ? "*" : "");
}

std::vector<std::string> state_cells(const StateRow& row, const TextOptions& options) {
  const stats::StallInfo& info = stats::kStalls[static_cast<std::size_t>(row.state)];
  return {std::string(info.key), decimal(row.per_instruction, 2), decimal(row.share_pct, 1),
          layout::bar(row.share_pct, kStateBarWidth, options), std::string(info.what)};
}

/// A line of the trace; of instructions without one, the program counter.
std::string where(std::uint32_t line, std::uint64_t pc) {
  return line == 0 ? fmt::format("{:#06x}", pc) : std::to_string(line);
}

std::string main_state_text(const LineRow& row) {
  return row.main_wait ? fmt::format("{} {:.0f} %", stats::kStalls[static_cast<std::size_t>(*row.main_wait)].key,
                                     row.main_wait_pct)
                       : "issuing";
}

std::string lanes_are(const std::string& divergence) {
  if (divergence == "recorded") {
    return "lanes as they were recorded, whatever sm.simt says";
  }
  if (divergence == "its") {
    return "lanes scheduled on their own";
  }
  return divergence == "stack" ? "lanes by a reconvergence stack" : "";  // results of earlier versions do not say
}

/// Lane slots that did nothing: off the path, or with their guard false. Without the branches, most of which have no
/// lane that takes them.
std::uint64_t idle_lanes(const LineRow& row) {
  const std::uint64_t used = row.opcode.starts_with("BRA") ? row.active_lanes : row.thread_instructions;
  const std::uint64_t all = row.warp_instructions * kWarpLanes;
  return all > used ? all - used : 0;
}

/// "204 HMMA.16816.F32".
std::string line_text(const isa::InstrText& name) {
  return clipped(where(name.line, name.pc) + " " + printable(name.opcode), kLineNameWidth);
}

}  // namespace

std::string speed_of_light_section(const KernelView& view, const TextOptions& options) {
  layout::Table table("lrll", {"unit", "%", "", ""});
  for (const UnitRow& unit : view.units) {
    const bool bounds = unit.bound == view.bound;
    table.add({bounds ? layout::paint(unit.name, layout::Style::kStrong, options) : std::string(unit.name),
               decimal(unit.pct, 1), layout::bar(unit.pct, kBarWidth, options), unit.note});
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
  layout::Table table("lrrrlrrl", {"class", "reached", "peak", "%", "level", "FLOP/byte", "ridge", "roof above it"});
  for (const RoofRow& row : view.roofs) {
    if (options.details) {
      add_levels(row, table);
    } else {
      table.add(roof_cells(row, lowest_roof(row)));
    }
  }
  return head + idle_dram_text(view) + table.to_text(options);
}

std::string occupancy_section(const KernelView& view, const TextOptions& options) {
  const stats::Occupancy& occupancy = view.counts.occupancy;
  std::string out = layout::heading("Occupancy", "* limits", options);
  out += fmt::format(
      "  theoretical {:.1f} % ({} x {} warps of {}), achieved {:.1f} % of active cycles; {:.2f} waves of CTAs\n",
      occupancy.theoretical_pct(), occupancy.ctas_per_sm, occupancy.warps_per_cta, occupancy.max_warps_per_sm,
      view.achieved_pct, view.waves);
  out += "  CTAs an SM by";
  for (std::size_t i = 0; i < stats::kLimiterNames.size(); ++i) {
    out += fmt::format("{} {} {}", i == 0 ? "" : ",", stats::kLimiterNames[i], limit_text(occupancy, i));
  }
  if (occupancy.resident_clusters != 0) {
    out += fmt::format("\n  {} clusters of {} CTAs on the GPU at once", with_thousands(occupancy.resident_clusters),
                       view.counts.cluster.volume());
  }
  return out + fmt::format("\n  {} registers a thread, {} of shared memory a CTA; carve-out {}, L1 {}\n",
                           view.counts.registers_per_thread, with_binary_prefix(view.counts.shared_bytes_per_cta),
                           with_binary_prefix(occupancy.shared_carveout_bytes), with_binary_prefix(occupancy.l1_bytes));
}

std::string states_section(const KernelView& view, const TextOptions& options) {
  layout::Table table("lrrll", {"state", "cycles", "%", "", "the warp waits for"});
  StateRow rest;
  std::size_t left_out = 0;
  for (const StateRow& row : view.states) {
    if (options.details || row.share_pct >= kShownSharePct) {
      table.add(state_cells(row, options));
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
  layout::Table table("rrlrlll", {"line", "x", "instruction", "executed", "% time", "main wait", "for line"});
  for (std::size_t i = 0; i < shown; ++i) {
    const LineRow& row = view.lines[i];
    table.add({where(row.line, row.pc), std::to_string(row.copies),
               clipped(printable(row.text.empty() ? row.opcode : row.text), kInstructionWidth),
               with_thousands(row.warp_instructions), fmt::format("{:>6.1f}", row.share_pct), main_state_text(row),
               row.producer ? line_text(*row.producer) : ""});
  }
  return layout::heading("Lines that cost most",
                         "x: copies of a line; % of all warp-cycles; for: whose result it waits for", options) +
         table.to_text(options);
}

std::string producers_section(const KernelView& view, const TextOptions& options) {
  if (view.producers.empty()) {
    return {};
  }
  const std::size_t most = options.details ? kLinesShownInDetail : kProducersShown;
  layout::Table table("rlrll", {"line", "instruction", "% time", "state", "most by line"});
  for (std::size_t i = 0; i < std::min(view.producers.size(), most); ++i) {
    const ProducerRow& row = view.producers[i];
    const isa::InstrText& name = row.producer;
    table.add({where(name.line, name.pc), clipped(printable(name.text.empty() ? name.opcode : name.text), 40),
               fmt::format("{:>6.1f}", row.share_pct),
               std::string(stats::kStalls[static_cast<std::size_t>(row.state)].key), line_text(row.waiter)});
  }
  return layout::heading("Results that are waited for", "the producers behind the dependence states", options) +
         table.to_text(options);
}

namespace {

/// What translations cost: warps that wait for one are in the same state as those that wait for the data.
std::string translation_text(const KernelView& view) {
  const stats::TlbCounters& tlb = view.counts.tlb;
  if (tlb.l1_misses == 0) {
    return {};
  }
  std::string text = fmt::format(
      "  {:.1f} % of the requests to L2 miss the TLB of their TPC and wait {:.0f} cycles for a translation on average, "
      "a part\n  of long_scoreboard",
      view.translations.miss_pct, view.translations.wait_cycles);
  if (tlb.walks > 0) {
    text += fmt::format("; {} page walks", with_thousands(tlb.walks));
  }
  return text + "\n";
}

/// How busy each level of ports is, and what waits there.
std::string noc_text(const KernelView& view, const TextOptions& options) {
  if (!options.details || view.ports.empty()) {
    return {};
  }
  const auto if_any = [](const std::optional<double>& value, int digits) {
    return value ? decimal(*value, digits) : std::string("-");
  };
  layout::Table table("lrrrrr", {"ports of the network", "count", "% busy", "% full", "% stalled", "waiting"});
  for (const PortRow& row : view.ports) {
    table.add({std::string(row.name), std::to_string(row.ports), decimal(row.busy_pct, 1), if_any(row.full_pct, 1),
               if_any(row.stalled_pct, 1), if_any(row.waiting, 2)});
  }
  return "\n  full: their queue has no place; stalled: it waits for a credit; waiting: messages at a port on "
         "average\n" +
         table.to_text(options);
}

std::string window_clause(const std::string& window) {
  return window.empty() ? "" : "  access policy window of L2: " + printable(window) + "\n";
}

/// How well the lanes' addresses share sectors, by kind of request.
std::string requests_text(const KernelView& view) {
  std::string text;
  for (const RequestRow& kind : view.requests) {
    if (kind.requests != 0) {
      text += fmt::format("{}{:.2f} of global {}", text.empty() ? "  sectors a request: " : ", ", kind.sectors_each,
                          kind.name);
    }
  }
  return text.empty() ? "" : text + "\n";
}

std::string rows_text(const DramRows& rows) {
  return rows.bursts == 0
             ? ""
             : fmt::format(
                   "  rows: {:.1f} % of {} bursts hit, {:.1f} % miss (bank closed), {:.1f} % conflict (another open)\n",
                   rows.hit_pct, with_thousands(rows.bursts), rows.miss_pct, rows.conflict_pct);
}

/// The lines that have most of what `count` says, without those that have none; not many but with --details.
template <class Count>
std::vector<const LineRow*> lines_with_most(const KernelView& view, const TextOptions& options, Count&& count) {
  std::vector<const LineRow*> rows;
  for (const LineRow& row : view.lines) {
    if (count(row) > 0) {
      rows.push_back(&row);
    }
  }
  std::stable_sort(rows.begin(), rows.end(),
                   [&count](const LineRow* a, const LineRow* b) { return count(*a) > count(*b); });
  rows.resize(std::min(rows.size(), options.details ? kLinesShownInDetail : kProducersShown));
  return rows;
}

/// The lines whose requests move most: those to look at when they touch more sectors than their bytes need.
std::string sectors_text(const KernelView& view, const TextOptions& options) {
  const std::vector<const LineRow*> rows =
      lines_with_most(view, options, [](const LineRow& row) { return row.memory_sectors; });
  if (rows.empty()) {
    return {};
  }
  std::uint64_t all = 0;
  for (const LineRow& row : view.lines) {
    all += row.memory_sectors;
  }
  layout::Table table("rlrrrr", {"line", "instruction", "requests", "sectors", "a request", "% of them"});
  for (const LineRow* row : rows) {
    const auto sectors = static_cast<double>(row->memory_sectors);
    table.add({where(row->line, row->pc), clipped(printable(row->text.empty() ? row->opcode : row->text), 40),
               with_thousands(row->memory_requests), with_thousands(row->memory_sectors),
               decimal(sectors / static_cast<double>(row->memory_requests), 2),
               decimal(percent(sectors, static_cast<double>(all)), 1)});
  }
  return "\n  Lines that touch most sectors of global and local memory\n" + table.to_text(options);
}

/// What spills and arrays in local memory do to the caches.
std::string local_memory_text(const KernelView& view) {
  const stats::LocalCounters& local = view.counts.local;
  const LocalMemory& memory = view.local_memory;
  if (local.load_requests + local.store_requests == 0) {
    return {};
  }
  return fmt::format(
      "  local memory, {} a thread: {} loads ({:.1f} % of their sectors hit L1), {} stores;\n"
      "    {} to and from L2, {:.1f} % of the sectors there\n",
      with_binary_prefix(view.counts.local_bytes_per_thread), with_thousands(local.load_requests), memory.hit_pct,
      with_thousands(local.store_requests), amount(static_cast<double>(memory.moved_bytes), "B"), memory.share_pct);
}

}  // namespace

std::string memory_section(const KernelView& view, const TextOptions& options) {
  layout::Table table("lrrrrrr", {"level", "requests", "all sectors", "hit %", "bytes", "bandwidth", "% of peak"});
  for (const LevelRow& row : view.levels) {
    table.add({std::string(row.name), row.requests ? with_thousands(*row.requests) : "-", with_thousands(row.sectors),
               row.hit_pct ? decimal(*row.hit_pct, 1) : "-", amount(static_cast<double>(row.bytes), "B"),
               amount(row.bytes_per_second, "B/s"), decimal(row.peak_pct, 1)});
  }
  const stats::DramCounters& dram = view.counts.dram;
  const stats::DsmemCounters& dsmem = view.counts.dsmem;
  const std::string between_sms =
      dsmem.requests == 0 ? ""
                          : fmt::format("  SMs of clusters exchange {} in {} requests of {} sectors\n",
                                        amount(static_cast<double>(dsmem.sent_bytes), "B"),
                                        with_thousands(dsmem.requests), with_thousands(dsmem.served_sectors));
  const std::string multicast =
      dsmem.multicast_sectors == 0
          ? ""
          : fmt::format("  multicasts bring {} that another SM of the cluster asked of L2\n",
                        amount(static_cast<double>(dsmem.multicast_sectors * kSectorBytes), "B"));
  const std::string check_bits =
      dram.ecc_bytes == 0 ? "" : fmt::format(", check bits {}", amount(static_cast<double>(dram.ecc_bytes), "B"));
  return layout::heading("Memory", "hits of loads; of DRAM: bursts that found their row open", options) +
         table.to_text(options) +
         fmt::format("  DRAM reads {}, writes {}{}\n", amount(static_cast<double>(dram.read_bytes), "B"),
                     amount(static_cast<double>(dram.write_bytes), "B"), check_bits) +
         rows_text(view.rows) + requests_text(view) + local_memory_text(view) + between_sms + multicast +
         window_clause(view.counts.l2_window) + translation_text(view) + noc_text(view, options) +
         sectors_text(view, options);
}

std::string divergence_section(const KernelView& view, const TextOptions& options) {
  const stats::SmCounters& sm = view.counts.sm;
  std::string out = layout::heading("Divergence", lanes_are(view.counts.divergence), options) +
                    fmt::format("  {:.1f} of 32 lanes active on average, {:.1f} with their guard true\n",
                                view.avg_active_lanes, view.avg_lanes_on) +
                    (sm.branches == 0 ? std::string("  no branches\n")
                                      : fmt::format("  {} of {} branches diverge, {:.1f} % do not\n",
                                                    with_thousands(sm.divergent_branches), with_thousands(sm.branches),
                                                    view.branch_efficiency_pct));
  const std::vector<const LineRow*> rows =
      lines_with_most(view, options, [](const LineRow& row) { return idle_lanes(row); });
  if (rows.empty()) {
    return out;
  }
  layout::Table table("rlrrrr", {"line", "instruction", "executed", "lanes", "on", "diverges"});
  for (const LineRow* row : rows) {
    const auto executed = static_cast<double>(row->warp_instructions);
    table.add({where(row->line, row->pc), clipped(printable(row->text.empty() ? row->opcode : row->text), 40),
               with_thousands(row->warp_instructions), decimal(static_cast<double>(row->active_lanes) / executed, 1),
               decimal(static_cast<double>(row->thread_instructions) / executed, 1),
               row->divergent_branches == 0 ? "" : with_thousands(row->divergent_branches)});
  }
  return out + "\n  Where most lanes idle; lanes: on the path, on: with their guard true\n" + table.to_text(options);
}

std::string pipes_section(const KernelView& view, const TextOptions& options) {
  layout::Table table("lrrl", {"pipe", "instructions", "% busy", ""});
  for (const PipeRow& row : view.pipes) {
    table.add({std::string(row.name), with_thousands(row.instructions), decimal(row.busy_pct, 1),
               layout::bar(row.busy_pct, kStateBarWidth, options)});
  }
  return layout::heading("Pipes", "of elapsed sub-core cycles", options) + table.to_text(options);
}

}  // namespace gpusim::report
