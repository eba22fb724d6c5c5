// SPDX-License-Identifier: MIT
#include "sim/output/timeline/why.h"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>

#include "sim/base/problem.h"
#include "sim/base/text.h"
#include "sim/model/stats/result.h"
#include "sim/output/timeline/recording.h"
#include "sim/output/timeline/why_words.h"

namespace gpusim::timeline {
namespace {

using stats::Stall;
using stats::WatchInterval;

/// A warp leaves when it has drained, or at once when all its lanes exit.
bool leaves(const stats::Result& result, const WatchInterval& last) {
  return last.state == Stall::kDrain ||
         (last.state == Stall::kSelected && result.kernels[last.kernel].pcs[last.pc].opcode.starts_with("EXIT") &&
          last.lanes == last.lanes_on);
}

constexpr std::string_view kOption = "--why";

[[noreturn]] void refuse(const std::string& message, const std::string& hint = "") {
  throw InputError({{std::string(kOption), 0, 0}, message, hint});
}

bool covers(const WatchInterval& interval, Cycle cycle) {
  return interval.begin <= cycle && cycle < interval.end;
}

void require_there(const stats::Result& result, const Moment& moment) {
  require_number(kOption, {"kernel", moment.kernel, result.kernels.size()}, "the run");
  const stats::KernelResult& kernel = result.kernels[moment.kernel];
  require_number(kOption, {"sm", moment.sm, result.machine.sms}, printable(result.arch_name));
  require_number(kOption, {"warp", moment.warp_slot, kernel.occupancy.max_warps_per_sm}, "an SM");
  require_cycle(result, kOption, moment.kernel, moment.cycle);
}

/// Where a cycle that is asked about lies between those in which warps are in the slot.
struct Neighbours {
  std::optional<WatchInterval> before{};  ///< the last one that ends before it
  std::optional<WatchInterval> after{};   ///< the first one that begins behind it
  std::optional<Cycle> sm_from{};         ///< the first cycle of the SM in which a warp is recorded
  Cycle sm_end = 0;                       ///< the one behind the last of them
};

Neighbours neighbours(const stats::Result& result, const Moment& moment) {
  Neighbours out;
  for (const WatchInterval& i : result.watch) {
    if (i.kernel != moment.kernel || i.sm != moment.sm) {
      continue;
    }
    out.sm_from = std::min(out.sm_from.value_or(i.begin), i.begin);
    out.sm_end = std::max(out.sm_end, i.end);
    if (i.warp_slot != moment.warp_slot) {
      continue;
    }
    if (i.end <= moment.cycle && (!out.before || i.end > out.before->end)) {
      out.before = i;
    }
    if (i.begin > moment.cycle && (!out.after || i.begin < out.after->begin)) {
      out.after = i;
    }
  }
  return out;
}

/// "(5.3)": the warp's CTA, and which of its warps it is.
std::string identity_text(const WatchInterval& i) {
  return fmt::format("({}.{})", i.cta, i.warp);
}

/// The slot is empty in that cycle, though it is recorded; and when it is not.
std::string empty_text(const stats::Result& result, const Moment& moment, const Neighbours& near) {
  const std::string slot = fmt::format("warp {} of SM {}", moment.warp_slot, moment.sm);
  if (near.before) {
    return fmt::format("{} {} leaves after cycle {}", slot, identity_text(*near.before),
                       with_thousands(near.before->end - 1)) +
           (near.after ? fmt::format("; {}, the next one in its slot, arrives at cycle {}", identity_text(*near.after),
                                     with_thousands(near.after->begin))
                       : "");
  }
  if (near.after) {
    return fmt::format("{} {} arrives at cycle {}", slot, identity_text(*near.after),
                       with_thousands(near.after->begin));
  }
  const bool is_whole = moment.recorded_from && result.complete;
  return fmt::format("warp={}: no warp is in this slot of SM {} in cycle {}{}", moment.warp_slot, moment.sm,
                     with_thousands(moment.cycle), is_whole ? ", and none comes" : "");
}

/// Nothing is known of the slot in that cycle: because nobody recorded it, or because it is empty.
[[noreturn]] void refuse_empty(const stats::Result& result, const Moment& moment) {
  const Neighbours near = neighbours(result, moment);
  const Cycle from = moment.recorded_from.value_or(near.sm_from.value_or(kNever));
  const bool has_left = near.before && leaves(result, *near.before);
  if (moment.cycle < from || (moment.cycle >= near.sm_end && !moment.recorded_from && !has_left)) {
    refuse(fmt::format("no warp of SM {} is recorded in cycle {}", moment.sm, with_thousands(moment.cycle)),
           recorded_text(result, moment.kernel));
  }
  std::string slots;
  for (const WatchInterval& i : result.watch) {
    if (i.kernel == moment.kernel && i.sm == moment.sm && covers(i, moment.cycle)) {
      slots += (slots.empty() ? "" : ", ") + std::to_string(i.warp_slot);
    }
  }
  refuse(empty_text(result, moment, near), slots.empty() ? "" : "slots with warps: " + slots);
}

/// The arrival of the CTA's last warp at the barrier where the warp waits, if it is recorded.
std::optional<WatchInterval> last_arrival(const stats::Result& result, const Reason& reason) {
  const WatchInterval& wait = reason.interval;
  const std::vector<stats::PcResult>& pcs = result.kernels[wait.kernel].pcs;
  if (wait.state != Stall::kBarrier || !reason.previous || !pcs[*reason.previous].opcode.starts_with("BAR")) {
    return std::nullopt;
  }
  const std::string barrier = barrier_text(pcs[*reason.previous]);
  std::optional<WatchInterval> last;
  for (const WatchInterval& i : result.watch) {
    const bool arrives = i.kernel == wait.kernel && i.sm == wait.sm && i.cta == wait.cta &&
                         i.state == Stall::kSelected && i.begin < wait.end && pcs[i.pc].opcode.starts_with("BAR") &&
                         barrier_text(pcs[i.pc]) == barrier;
    if (arrives && (!last || i.begin > last->begin)) {
      last = i;
    }
  }
  // The warp that asks waits for others: they are not all recorded then.
  return last && last->warp != wait.warp ? last : std::nullopt;
}

}  // namespace

Reason why(const stats::Result& result, const Moment& moment) {
  require_there(result, moment);
  const auto of_slot = [&](const WatchInterval& i) {
    return i.kernel == moment.kernel && i.sm == moment.sm && i.warp_slot == moment.warp_slot;
  };
  const auto found =
      std::ranges::find_if(result.watch, [&](const WatchInterval& i) { return of_slot(i) && covers(i, moment.cycle); });
  if (found == result.watch.end()) {
    refuse_empty(result, moment);
  }
  Reason reason{moment, *found};
  const auto of_warp = [&](const WatchInterval& i) {
    return of_slot(i) && i.cta == found->cta && i.warp == found->warp;
  };
  if (const auto next = found + 1; next != result.watch.end() && of_warp(*next)) {
    reason.next = *next;
  }
  for (auto at = found; at != result.watch.begin() && of_warp(*(at - 1)) && !reason.produced_at;) {
    --at;
    if (at->state == Stall::kSelected) {
      reason.previous = reason.previous.value_or(at->pc);
      if (at->pc == found->producer) {
        reason.produced_at = at->begin;
      }
    }
  }
  const auto other = std::ranges::find_if(result.watch, [&](const WatchInterval& i) {
    return i.kernel == moment.kernel && i.sm == moment.sm && i.sub_core == found->sub_core &&
           i.state == Stall::kSelected && covers(i, moment.cycle);
  });
  if (other != result.watch.end()) {
    reason.other = *other;
  }
  reason.leaves = !reason.next && leaves(result, *found);
  reason.last_arrival = last_arrival(result, reason);
  return reason;
}

}  // namespace gpusim::timeline
