// SPDX-License-Identifier: MIT
#include "sim/machine/gpu/watching.h"

#include <algorithm>
#include <string>
#include <tuple>

#include "sim/base/text.h"

namespace gpusim::gpu {
namespace {

bool is_seen(const sm::Sm& sm, const sm::Watch& watch) {
  for (std::uint32_t slot = 0; slot < sm.warp_slots(); ++slot) {
    const sm::Warp& warp = sm.warp(slot);
    if (warp.resident && warp.gap_begin < watch.end && (watch.all_slots || slot == watch.warp_slot)) {
      return false;  // what it waits for is known when its wait ends
    }
  }
  return true;
}

}  // namespace

Watching::Watching(const SimulateOptions& options, std::uint32_t kernel, std::size_t recorded) {
  const std::size_t room = options.most_intervals - std::min(recorded, options.most_intervals);
  for (const WatchRequest& request : options.watch) {
    if (request.kernel.value_or(kernel) == kernel) {
      // Shares are fixed, so that what is left out does not depend on which thread runs which SM.
      watches_.push_back({.sm = request.sm,
                          .all_slots = !request.warp_slot,
                          .warp_slot = request.warp_slot.value_or(0),
                          .begin = request.begin,
                          .end = request.end,
                          .kernel = kernel,
                          .clip = request.clip,
                          .most_intervals = room / options.watch.size(),
                          .intervals = {}});
    }
  }
}

bool Watching::has_seen_all(const Machine& machine, Cycle now) const {
  return !watches_.empty() && std::ranges::all_of(watches_, [&](const sm::Watch& watch) {
    return now >= watch.end && is_seen(*machine.sms()[watch.sm], watch);
  });
}

void Watching::add_to(const lower::KernelImage& image, stats::Result& result) {
  const auto begin = static_cast<std::ptrdiff_t>(result.watch.size());
  for (sm::Watch& watch : watches_) {
    for (stats::WatchInterval& interval : watch.intervals) {
      if (interval.state == stats::Stall::kWait) {  // whom the stall counts were for is known without a run
        interval.producer = image.wait_producers[interval.pc];
      }
    }
    result.watch.insert(result.watch.end(), watch.intervals.begin(), watch.intervals.end());
    if (watch.is_cut) {
      result.warnings.push_back("the recording of SM " + std::to_string(watch.sm) + " in kernel '" +
                                image.kernel->name + "' ends after " + with_thousands(watch.intervals.size()) +
                                " intervals: what came later is not recorded; ask for fewer cycles or SMs");
    }
  }
  std::stable_sort(result.watch.begin() + begin, result.watch.end(),
                   [](const stats::WatchInterval& a, const stats::WatchInterval& b) {
                     return std::tie(a.sm, a.warp_slot, a.begin) < std::tie(b.sm, b.warp_slot, b.begin);
                   });
}

}  // namespace gpusim::gpu
