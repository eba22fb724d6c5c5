// SPDX-License-Identifier: MIT
// What a kernel does to the memory hierarchy.
#include <algorithm>

#include <fmt/format.h>

#include "sim/base/text.h"
#include "sim/model/stats/counters.h"
#include "sim/model/stats/kernel_counts.h"
#include "sim/output/report/section_text.h"
#include "sim/output/report/sections.h"

namespace gpusim::report {
namespace {

std::uint64_t bank_conflicts(const LineRow& row) {
  return row.shared_wavefronts - std::min(row.shared_wavefronts, row.shared_ideal_wavefronts);
}

/// What translations cost: warps that wait for one are in the same state as those that wait for the data.
std::string translation_text(const KernelView& view, const TextOptions& options) {
  const stats::TlbCounters& tlb = view.counts.tlb;
  if (tlb.l1_misses == 0) {
    return {};
  }
  const std::string walks = tlb.walks > 0 ? fmt::format("; {} page walks", with_thousands(tlb.walks)) : "";
  return sentence(fmt::format("{:.1f} % of the requests to L2 miss the TLB of their TPC and wait {:.0f} cycles for a "
                              "translation on average, a part of long_scoreboard{}",
                              view.translations.miss_pct, view.translations.wait_cycles, walks),
                  options);
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
  return "\n" +
         sentence(
             "full: their queue has no place; stalled: it waits for a credit; waiting: messages at a port on average",
             options) +
         table.to_text(options);
}

/// How well the lanes' addresses share sectors, by kind of request.
std::string requests_text(const KernelView& view) {
  std::string text;
  for (const RequestRow& kind : view.requests) {
    if (kind.requests != 0) {
      text += fmt::format("{}{:.2f} of global {}", text.empty() ? "sectors a request: " : ", ", kind.sectors_each,
                          kind.name);
    }
  }
  return text;
}

std::string rows_text(const DramRows& rows) {
  return rows.bursts == 0
             ? ""
             : fmt::format(
                   "rows: {:.1f} % of {} bursts hit, {:.1f} % miss (bank closed), {:.1f} % conflict (another open)",
                   rows.hit_pct, with_thousands(rows.bursts), rows.miss_pct, rows.conflict_pct);
}

/// Twice as many sectors as the bytes need, and more: the addresses are the problem.
bool is_uncoalesced(const LineRow& row) {
  constexpr std::uint64_t kNotable = 2;
  return row.memory_ideal_sectors > 0 && row.memory_sectors >= kNotable * row.memory_ideal_sectors;
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
  layout::Table table("rLrrrrr", {"line", "instruction", "requests", "sectors", "a request", "ideal", "% of them"});
  for (const LineRow* row : rows) {
    const auto sectors = static_cast<double>(row->memory_sectors);
    const auto requests = static_cast<double>(row->memory_requests);
    table.add(
        {line_cell(*row), instruction_text(*row), with_thousands(row->memory_requests),
         with_thousands(row->memory_sectors), marked(decimal(sectors / requests, 2), is_uncoalesced(*row), options),
         row->memory_ideal_sectors == 0 ? "-" : decimal(static_cast<double>(row->memory_ideal_sectors) / requests, 2),
         decimal(percent(sectors, static_cast<double>(all)), 1)});
  }
  return "\n" +
         sentence("Lines that touch most sectors of global and local memory; ideal: if the bytes lay side by side",
                  options) +
         table.to_text(options);
}

/// The lines with most bank conflicts: passes that their bytes do not need.
std::string conflicts_text(const KernelView& view, const TextOptions& options) {
  const std::vector<const LineRow*> rows = lines_with_most(view, options, &bank_conflicts);
  if (rows.empty()) {
    return {};
  }
  layout::Table table("rLrrr", {"line", "instruction", "passes", "ideal", "ways"});
  for (const LineRow* row : rows) {
    const double ways = static_cast<double>(row->shared_wavefronts) /
                        static_cast<double>(std::max<std::uint64_t>(1, row->shared_ideal_wavefronts));
    constexpr double kNotableWays = 2;
    table.add({line_cell(*row), instruction_text(*row), with_thousands(row->shared_wavefronts),
               with_thousands(row->shared_ideal_wavefronts), marked(decimal(ways, 1), ways >= kNotableWays, options)});
  }
  return "\n" + sentence("Lines with most bank conflicts; ways: passes for each that the bytes need", options) +
         table.to_text(options);
}

/// What spills and arrays in local memory do to the caches.
std::string local_memory_text(const KernelView& view) {
  const stats::LocalCounters& local = view.counts.local;
  const LocalMemory& memory = view.local_memory;
  if (local.load_requests + local.store_requests == 0) {
    return {};
  }
  return fmt::format(
      "local memory, {} a thread: {} loads ({:.1f} % of their sectors hit L1), {} stores; {} to and from L2, {:.1f} % "
      "of "
      "the sectors there",
      with_binary_prefix(view.counts.local_bytes_per_thread), with_thousands(local.load_requests), memory.hit_pct,
      with_thousands(local.store_requests), amount(static_cast<double>(memory.moved_bytes), "B"), memory.share_pct);
}

/// What SMs of a cluster send each other.
std::string clusters_text(const KernelView& view, const TextOptions& options) {
  const stats::DsmemCounters& dsmem = view.counts.dsmem;
  std::string text;
  if (dsmem.requests != 0) {
    text += sentence(fmt::format("SMs of clusters exchange {} in {} requests of {} sectors",
                                 amount(static_cast<double>(dsmem.sent_bytes), "B"), with_thousands(dsmem.requests),
                                 with_thousands(dsmem.served_sectors)),
                     options);
  }
  if (dsmem.multicast_sectors != 0) {
    text += sentence(fmt::format("multicasts bring {} that another SM of the cluster asked of L2",
                                 amount(static_cast<double>(dsmem.multicast_sectors * kSectorBytes), "B")),
                     options);
  }
  return text;
}

/// What DRAM moved.
std::string dram_text(const stats::DramCounters& dram) {
  const std::string check_bits = dram.ecc_bytes == 0 ? ""
                                                     : fmt::format(", and {} of check bits (dram.ecc: inline)",
                                                                   amount(static_cast<double>(dram.ecc_bytes), "B"));
  return fmt::format("DRAM reads {}, writes {}{}", amount(static_cast<double>(dram.read_bytes), "B"),
                     amount(static_cast<double>(dram.write_bytes), "B"), check_bits);
}

}  // namespace

std::string memory_section(const KernelView& view, const TextOptions& options) {
  layout::Table table("lrrrrrR", {"level", "requests", "all sectors", "hit %", "bytes", "bandwidth", "% of peak"});
  for (const LevelRow& row : view.levels) {
    table.add({std::string(row.name), row.requests ? with_thousands(*row.requests) : "-", with_thousands(row.sectors),
               row.hit_pct ? decimal(*row.hit_pct, 1) : "-", amount(static_cast<double>(row.bytes), "B"),
               amount(row.bytes_per_second, "B/s"), decimal(row.peak_pct, 1)});
  }
  const std::string& window = view.counts.l2_window;
  return layout::heading("Memory", "hits of loads; of DRAM: bursts that found their row open", options) +
         table.to_text(options) + sentence(dram_text(view.counts.dram), options) +
         sentence(rows_text(view.rows), options) + sentence(requests_text(view), options) +
         sentence(local_memory_text(view), options) + clusters_text(view, options) +
         (window.empty() ? "" : sentence("access policy window of L2: " + printable(window), options)) +
         translation_text(view, options) + noc_text(view, options) + sectors_text(view, options) +
         conflicts_text(view, options);
}

}  // namespace gpusim::report
