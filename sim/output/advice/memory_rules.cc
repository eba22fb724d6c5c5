// SPDX-License-Identifier: MIT
#include "sim/output/advice/memory_rules.h"

#include <algorithm>

#include <fmt/format.h>

#include "sim/base/text.h"
#include "sim/model/stats/counters.h"
#include "sim/model/stats/kernel_counts.h"
#include "sim/output/advice/measure.h"

namespace gpusim::advice {
namespace {

using report::Hit;
using report::KernelView;
using stats::Bound;
using stats::PcResult;
using stats::Stall;

/// From this factor on an access pattern is named in the verdict.
constexpr double kLessonFactor = 2;
/// Above it, DRAM is busy enough for what it is asked to matter.
constexpr double kBusyPct = 60;

bool is_global(const PcResult& pc) {
  return pc.memory_requests != 0 && !begins_with(pc.opcode, {"LDL", "STL", "ATOM", "RED"});
}

/// None where a version saved the result that did not count what the bytes need.
std::uint64_t excess_sectors(const PcResult& pc) {
  const bool counted = is_global(pc) && pc.memory_ideal_sectors != 0;
  return counted ? pc.memory_sectors - std::min(pc.memory_sectors, pc.memory_ideal_sectors) : 0;
}

std::uint64_t conflicts(const PcResult& pc) {
  return pc.shared_wavefronts - std::min(pc.shared_wavefronts, pc.shared_ideal_wavefronts);
}

double memory_wait_pct(const KernelView& view) {
  return share_pct(view, {Stall::kLongScoreboard, Stall::kLgThrottle, Stall::kDrain, Stall::kMembar});
}

double memory_busy_pct(const KernelView& view) {
  double most = 0;
  for (const Bound unit : {Bound::kL1, Bound::kL2, Bound::kNoc, Bound::kDram, Bound::kDramRows}) {
    most = std::max(most, unit_pct(view, unit));
  }
  return std::min(most, 100.0);
}

}  // namespace

std::optional<Hit> find_uncoalesced(const KernelView& view, double least_excess_pct) {
  double sectors = 0;
  double excess = 0;
  for (const PcResult& pc : view.instructions) {
    sectors += is_global(pc) ? static_cast<double>(pc.memory_sectors) : 0;
    excess += static_cast<double>(excess_sectors(pc));
  }
  const double excess_pct = report::percent(excess, sectors);
  const std::optional<std::uint32_t> index = report::worst_instruction(view, excess_sectors);
  if (excess_pct < least_excess_pct || !index) {
    return std::nullopt;
  }
  const PcResult& worst = view.instructions[*index];
  const auto requests = static_cast<double>(worst.memory_requests);
  const double each = static_cast<double>(worst.memory_sectors) / requests;
  const double ideal = static_cast<double>(worst.memory_ideal_sectors) / requests;
  Hit hit;
  hit.index = index;
  hit.evidence = fmt::format(
      "{} touches {:.1f} sectors a request where its bytes fill {:.1f}; {:.0f} % of the sectors of all global accesses "
      "are not needed",
      place_of(view, *index), each, ideal, excess_pct);
  hit.change =
      "let neighbouring lanes access neighbouring words: swap loops or indices, keep an array for each field, or pass "
      "tiles through shared memory";
  hit.gain_pct = excess_pct / 100 * std::max(memory_busy_pct(view), memory_wait_pct(view));
  if (each >= kLessonFactor * ideal) {
    hit.lesson =
        fmt::format("{} touches {:.1f} x the sectors that its bytes fill", place_of(view, *index), each / ideal);
  }
  return hit;
}

std::optional<Hit> find_bank_conflicts(const KernelView& view, double least_conflicts_pct) {
  const stats::SmCounters& sm = view.counts.sm;
  const auto all = static_cast<double>(sm.shared_wavefronts);
  const double excess = all - static_cast<double>(std::min(sm.shared_ideal_wavefronts, sm.shared_wavefronts));
  const double excess_pct = report::percent(excess, all);
  if (all == 0 || excess_pct < least_conflicts_pct) {
    return std::nullopt;
  }
  Hit hit;
  hit.index = report::worst_instruction(view, conflicts);
  hit.evidence = fmt::format("{:.0f} % of the passes through the banks of shared memory are conflicts", excess_pct);
  hit.change =
      "pad the rows of the tile by a word, or swizzle its columns by the row, so that the lanes of a warp fall on "
      "different banks";
  hit.gain_pct = excess_pct / 100 *
                 std::max(std::min(100.0, unit_pct(view, Bound::kShared)),
                          share_pct(view, {Stall::kShortScoreboard, Stall::kMioThrottle}));
  if (hit.index) {
    const PcResult& worst = view.instructions[*hit.index];
    const double factor = static_cast<double>(worst.shared_wavefronts) /
                          static_cast<double>(std::max<std::uint64_t>(worst.shared_ideal_wavefronts, 1));
    const std::string what =
        fmt::format("{} takes {:.1f} x the passes that its bytes need", place_of(view, *hit.index), factor);
    hit.evidence = what + "; " + hit.evidence;
    hit.lesson = factor >= kLessonFactor ? what + ", for bank conflicts" : "";
    if (begins_with(worst.opcode, {"ATOMS"})) {
      hit.change =
          "spread the lanes of a warp: keep several copies of the array in shared memory, or add up equal values in "
          "the warp first";
    }
  }
  return hit;
}

std::optional<Hit> find_spills(const KernelView& view, double least_time_pct) {
  const report::LocalMemory& local = view.local_memory;
  if (local.time_pct < least_time_pct) {
    return std::nullopt;
  }
  Hit hit;
  hit.index = report::worst_instruction(view, [](const PcResult& pc) {
    return begins_with(pc.opcode, {"LDL", "STL"}) ? pc.warp_instructions : 0;
  });
  hit.evidence = fmt::format(
      "{:.0f} % of the warps' time goes into local memory, {} a thread; {:.0f} % of its loads' sectors hit L1{}",
      local.time_pct, with_binary_prefix(view.counts.local_bytes_per_thread), local.hit_pct, most_at(view, hit.index));
  hit.change =
      "keep fewer values alive, allow more registers a thread (launch bounds), and index small arrays by constants";
  hit.gain_pct = local.time_pct;
  return hit;
}

std::optional<Hit> find_l2_misses(const KernelView& view, double most_hit_pct) {
  const report::LevelRow& l2 = view.levels[2];
  const double dram_pct = unit_pct(view, Bound::kDram);
  if (!l2.hit_pct || *l2.hit_pct >= most_hit_pct || dram_pct < kBusyPct) {
    return std::nullopt;
  }
  Hit hit;
  hit.index = report::worst_instruction(view, [](const PcResult& pc) { return is_global(pc) ? pc.memory_sectors : 0; });
  hit.evidence = fmt::format("{:.0f} % of the sectors read hit L2, and DRAM runs at {:.0f} % of its peak{}",
                             *l2.hit_pct, dram_pct, most_at(view, hit.index));
  hit.change =
      "use data again while it is in L2: block the loops, order CTAs so that those that run together share data, fuse "
      "kernels that pass data on";
  hit.gain_pct = above_others_pct(view, dram_pct, {Bound::kDram, Bound::kDramRows});
  return hit;
}

std::optional<Hit> find_row_misses(const KernelView& view, double least_rows_pct) {
  const double rows_pct = unit_pct(view, Bound::kDramRows);
  if (rows_pct < least_rows_pct || rows_pct <= unit_pct(view, Bound::kDram)) {
    return std::nullopt;
  }
  Hit hit;
  hit.index = report::worst_instruction(view, [](const PcResult& pc) { return is_global(pc) ? pc.memory_sectors : 0; });
  hit.evidence = fmt::format(
      "DRAM opens {:.0f} % of the rows that its timings allow and moves {} for each; {:.0f} % of its bursts find their "
      "row open",
      rows_pct, with_si_prefix(view.rows.bytes_each, "B"), view.rows.hit_pct);
  hit.change =
      "let warps that run together access neighbouring sectors, and sort indices before a gather, so that an open row "
      "serves more of them";
  hit.gain_pct = above_others_pct(view, rows_pct, {Bound::kDramRows});
  return hit;
}

std::optional<Hit> find_busy_network(const KernelView& view, double least_busy_pct) {
  const report::PortRow* const ports = report::busiest_ports(view);
  if (ports == nullptr || ports->busy_pct < least_busy_pct) {
    return std::nullopt;
  }
  Hit hit;
  hit.index = report::worst_instruction(view, [](const PcResult& pc) { return pc.memory_sectors; });
  hit.evidence =
      fmt::format("the {} are busy {:.0f} % of the time{}", ports->name, ports->busy_pct, most_at(view, hit.index));
  hit.change = ports->advice;
  hit.gain_pct = above_others_pct(view, ports->busy_pct, {Bound::kNoc});
  return hit;
}

std::optional<Hit> find_slow_atomics(const KernelView& view, double least_time_pct) {
  if (view.counts.l1.atomic_sectors == 0 || view.after_warps_pct < least_time_pct) {
    return std::nullopt;
  }
  Hit hit;
  hit.index = report::worst_instruction(view, [](const PcResult& pc) {
    return begins_with(pc.opcode, {"ATOMG", "ATOM.", "RED"}) ? pc.memory_sectors : 0;
  });
  hit.evidence = fmt::format("for {:.0f} % of the time no warp is left, and L2 does their atomics{}",
                             view.after_warps_pct, most_at(view, hit.index));
  hit.change = "reduce within the warp and in shared memory first, and send L2 one atomic per CTA";
  hit.gain_pct = view.after_warps_pct;
  return hit;
}

std::optional<Hit> find_translations(const KernelView& view, double least_miss_pct) {
  constexpr double kOtherCycles = 600;  // about what a load takes that translation does not delay
  const report::Translations& tlb = view.translations;
  if (tlb.miss_pct < least_miss_pct) {
    return std::nullopt;
  }
  Hit hit;
  hit.evidence = fmt::format("{:.0f} % of the requests to L2 miss the TLB of their TPC and wait {:.0f} cycles each",
                             tlb.miss_pct, tlb.wait_cycles);
  hit.change = "let CTAs that run together stay within few pages: walk large arrays in blocks, not in long strides";
  hit.gain_pct = tlb.miss_pct / 100 * tlb.wait_cycles / (tlb.wait_cycles + kOtherCycles) *
                 share_pct(view, {Stall::kLongScoreboard});
  return hit;
}

}  // namespace gpusim::advice
