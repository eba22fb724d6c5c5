// SPDX-License-Identifier: MIT
#include "sim/output/advice/launch_rules.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "sim/base/rounding.h"
#include "sim/base/text.h"
#include "sim/model/stats/kernel_counts.h"
#include "sim/model/stats/occupancy.h"
#include "sim/output/advice/measure.h"

namespace gpusim::advice {
namespace {

using report::Hit;
using report::KernelView;
using stats::Limiter;

std::string limiter_names(const stats::Occupancy& occupancy) {
  std::string names;
  for (const Limiter limiter : occupancy.limiters) {
    names += (names.empty() ? "" : ", ") + std::string(stats::kLimiterNames[static_cast<std::size_t>(limiter)]);
  }
  return names;
}

bool is_limited_by(const stats::Occupancy& occupancy, Limiter limiter) {
  return std::ranges::find(occupancy.limiters, limiter) != occupancy.limiters.end();
}

std::string occupancy_change(const KernelView& view) {
  const stats::Occupancy& occupancy = view.counts.occupancy;
  std::string change;
  const auto also = [&change](const std::string& more) { change += (change.empty() ? "" : "; ") + more; };
  if (is_limited_by(occupancy, Limiter::kRegisters)) {
    also(fmt::format("use fewer than {} registers a thread (launch bounds, smaller tiles)",
                     view.counts.registers_per_thread));
  }
  if (is_limited_by(occupancy, Limiter::kSharedMem)) {
    also(fmt::format("use less than {} of shared memory a CTA (smaller tiles, fewer stages)",
                     with_binary_prefix(view.counts.shared_bytes_per_cta)));
  }
  if (is_limited_by(occupancy, Limiter::kBlocks)) {
    also("use larger CTAs");
  }
  if (is_limited_by(occupancy, Limiter::kBarriers)) {
    also("use fewer named barriers");
  }
  if (is_limited_by(occupancy, Limiter::kWarps)) {
    also("choose a number of threads that divides what an SM holds");
  }
  return change + "; gpusim occupancy shows what each step allows";
}

bool fills_all_sms(const KernelView& view) {
  return view.counts.simulated_ctas >= view.sms;
}

}  // namespace

std::optional<Hit> find_launch_bound(const KernelView& view, double least_share_pct) {
  const double overhead = view.counts.overhead_us();
  const double cycles = view.time_us - view.counts.begin_end_us;
  const double share = report::percent(overhead, overhead + cycles);
  if (share < least_share_pct) {
    return std::nullopt;
  }
  return Hit{fmt::format("launch, begin and end take {:.1f} us, the kernel's cycles {:.1f} us", overhead, cycles),
             "give a launch more work, fuse it with its neighbours, or launch them together as a graph", share};
}

std::optional<Hit> find_small_grid(const KernelView& view, double least_ctas_per_sm) {
  // The whole grid counts, although --ctas may have chosen a part of it.
  const std::uint64_t grid = view.counts.grid.volume();
  const auto ctas = static_cast<double>(grid);
  if (ctas >= least_ctas_per_sm * view.sms) {
    return std::nullopt;
  }
  const double idle = report::percent(view.sms - ctas, view.sms);
  return Hit{fmt::format("there are CTAs for only {} of {} SMs", grid, view.sms),
             "cut the work into more, smaller CTAs, or split the reduction dimension over CTAs",
             std::min(idle, room_pct(view))};
}

std::optional<Hit> find_tail(const KernelView& view, double least_idle_pct) {
  const double rounds = std::ceil(view.waves);
  const double idle = report::percent(rounds - view.waves, rounds);
  if (view.waves <= 1 || idle < least_idle_pct) {
    return std::nullopt;
  }
  return Hit{
      fmt::format("{:.2f} waves of CTAs take {:.0f} rounds; {:.0f} % of their places stay empty", view.waves, rounds,
                  idle),
      "choose a tile size whose CTAs fill whole waves, use smaller CTAs, or let persistent CTAs fetch their work",
      std::min(idle, room_pct(view))};
}

std::optional<Hit> find_partial_warps(const KernelView& view, double least_idle_pct) {
  const std::uint64_t threads = view.counts.block.volume();
  const std::uint64_t slots = round_up(threads, kWarpLanes);
  const double idle = report::percent(static_cast<double>(slots - threads), static_cast<double>(slots));
  if (idle < least_idle_pct) {
    return std::nullopt;
  }
  return Hit{fmt::format("CTAs of {} threads leave {:.0f} % of the lanes of their warps empty", threads, idle),
             "use CTAs of a multiple of 32 threads; 128 or 256 are a good start", idle / 100 * view.throughput.sm_pct};
}

std::optional<Hit> find_low_occupancy(const KernelView& view, double least_theoretical_pct) {
  const stats::Occupancy& occupancy = view.counts.occupancy;
  const double theoretical = occupancy.theoretical_pct();
  const double resident = static_cast<double>(view.sms) * occupancy.ctas_per_sm;
  if (theoretical >= least_theoretical_pct || static_cast<double>(view.counts.simulated_ctas) <= resident) {
    return std::nullopt;
  }
  const double one_more = 100.0 / (occupancy.ctas_per_sm + 1);
  const bool one = occupancy.ctas_per_sm == 1;
  return Hit{fmt::format("{} CTA{} of {} warps fit{} an SM, {:.0f} % of its {} warps; the limit: {}",
                         occupancy.ctas_per_sm, one ? "" : "s", occupancy.warps_per_cta, one ? "s" : "", theoretical,
                         occupancy.max_warps_per_sm, limiter_names(occupancy)),
             occupancy_change(view), std::min(one_more, room_pct(view)) * latency_pct(view) / 100};
}

std::optional<Hit> find_unreached_occupancy(const KernelView& view, double least_gap_points) {
  const double theoretical = view.counts.occupancy.theoretical_pct();
  const double gap = theoretical - view.achieved_pct;
  if (gap <= least_gap_points || view.waves < 1) {
    return std::nullopt;
  }
  return Hit{
      fmt::format("{:.0f} % of the warp slots are in use where {:.0f} % could be", view.achieved_pct, theoretical),
      "let the warps of a CTA, and the CTAs, do work of equal length; larger CTAs and more work each cost fewer starts",
      std::min(report::percent(gap, theoretical), room_pct(view)) * latency_pct(view) / 100};
}

std::optional<Hit> find_sm_imbalance(const KernelView& view, double least_gap_pct) {
  const std::vector<Cycle>& active = view.counts.sm_active_cycles;
  if (active.empty() || !fills_all_sms(view)) {
    return std::nullopt;
  }
  const auto [least, most] = std::ranges::minmax(active);
  double sum = 0;
  for (const Cycle cycles : active) {
    sum += static_cast<double>(cycles);
  }
  const double gap =
      report::percent(static_cast<double>(most) - sum / static_cast<double>(active.size()), static_cast<double>(most));
  if (gap < least_gap_pct) {
    return std::nullopt;
  }
  return Hit{fmt::format("SMs are active for {} to {} cycles, {:.0f} % less on average than the last to end",
                         with_thousands(least), with_thousands(most), gap),
             "give CTAs work of equal length, start the long ones first, or use more and smaller ones",
             std::min(gap, room_pct(view))};
}

}  // namespace gpusim::advice
