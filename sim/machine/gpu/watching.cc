// SPDX-License-Identifier: MIT
#include "sim/machine/gpu/watching.h"

#include <algorithm>
#include <string>
#include <tuple>

#include "sim/base/text.h"
#include "sim/machine/gpu/machine.h"
#include "sim/machine/lower/kernel_image.h"
#include "sim/machine/sm/sm.h"
#include "sim/machine/sm/warps/warp.h"
#include "sim/model/stats/result.h"
#include "sim/model/trace/kernel.h"

namespace gpusim::gpu {
namespace {

/// Whether the waits that began before `end` have ended.
bool is_seen(const sm::Sm& sm, const sm::Watch& watch, Cycle end) {
  for (std::uint32_t slot = 0; slot < sm.warp_slots(); ++slot) {
    const sm::Warp& warp = sm.warp(slot);
    if (warp.resident && warp.gap_begin < end && (watch.all_slots || slot == watch.warp_slot)) {
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
      questions_.emplace_back();
      if (request.question) {
        questions_.back() = Question{*request.question};
      }
    }
  }
}

bool Watching::Question::is_answered(const sm::Sm& sm, const sm::Watch& watch) {
  for (; looked_through < watch.intervals.size(); ++looked_through) {
    const stats::WatchInterval& i = watch.intervals[looked_through];
    if (i.warp_slot == asked.warp_slot) {
      covers = covers || (i.begin <= asked.cycle && asked.cycle < i.end);
      goes_on = goes_on || i.begin > asked.cycle;
    }
  }
  return goes_on || (covers && !sm.warp(asked.warp_slot).resident);
}

bool Watching::has_seen_all(const Machine& machine, Cycle now) {
  for (std::size_t i = 0; i < watches_.size(); ++i) {
    const sm::Watch& watch = watches_[i];
    const sm::Sm& sm = *machine.sms()[watch.sm];
    const Cycle end = questions_[i] ? questions_[i]->asked.cycle + 1 : watch.end;
    if (now < end || !is_seen(sm, watch, end) || (questions_[i] && !questions_[i]->is_answered(sm, watch))) {
      return false;
    }
  }
  return !watches_.empty();
}

void Watching::add_to(const lower::KernelImage& image, stats::Result& result) {
  const auto begin = static_cast<std::ptrdiff_t>(result.watch.size());
  for (sm::Watch& watch : watches_) {
    for (stats::WatchInterval& interval : watch.intervals) {
      if (interval.state == stats::Stall::kWait) {  // the producers of stall counts are known without a run
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
