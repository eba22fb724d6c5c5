// SPDX-License-Identifier: MIT
// Live instructions: the machine answers polls, and an instruction whose guard such an answer wrote is decided when it
// issues.
#include <algorithm>

#include "sim/base/problem.h"
#include "sim/machine/sm/sm.h"

namespace gpusim::sm {

void Sm::resolve_live(Warp& warp) {
  const auto bit = static_cast<std::uint16_t>(1U << warp.op->predicate);
  if ((warp.unanswered & bit) != 0) {
    const trace::InstrText& text = job_.image->kernel->texts[warp.next.pc];
    throw InputError(Problem{{job_.image->kernel->where.file, text.line, 0},
                             "'" + text.text + "' issues before the poll that writes its guard is answered",
                             "its control bits must wait for the counter that the poll raises"});
  }
  warp.walker.resolve((warp.answers & bit) != 0, warp.next);
}

void Sm::poll_answered(const SmEvent& event, Cycle now) {
  Warp& warp = warps_[event.warp];
  const auto bit = static_cast<std::uint16_t>(1U << job_.image->ops[event.pc].predicate);
  warp.unanswered = static_cast<std::uint16_t>(warp.unanswered & ~bit);
  const bool yes = event.kind == SmEventKind::kPollYes;
  warp.answers = static_cast<std::uint16_t>(yes ? warp.answers | bit : warp.answers & ~bit);
  if (event.counter != isa::kNoBarrier) {
    release_counter(warp, event, now);
  } else {
    release_registers(warp, event.pc, now);
    operation_done(warp, now);
  }
}

/// Nothing is under way on this SM, and whoever lives on it waits for somebody else: only a message could change that.
bool Sm::only_polls_remain() const {
  const bool quiet = events_.size() == memory_.sync().waits().deadlines() - 1 && memory_.idle();
  return quiet &&
         std::all_of(warps_.begin(), warps_.end(), [this](const Warp& w) { return !w.resident || is_at_rest(w); });
}

bool Sm::is_at_rest(const Warp& warp) const {
  if (warp.exited) {
    return true;
  }
  if (sub_cores_[warp.sub_core].is_asleep(warp.slot) || warp.waits == 0 || (warp.waits & kWaitsForFence) != 0) {
    return false;
  }
  const MbarrierWaitQueue::Waiting* poll = memory_.sync().waits().of_warp(slot_of(warp));
  return poll == nullptr || poll->spins;
}

std::optional<PollWait> Sm::poll_of(const Warp& warp) const {
  const MbarrierWaitQueue::Waiting* waiting = memory_.sync().waits().of_warp(slot_of(warp));
  if (waiting == nullptr) {
    return std::nullopt;
  }
  PollWait wait{waiting->poll.object, waiting->poll.pc, waiting->poll.parity, {}, 0, 0};
  if (wait.object == Poll::kRegisterPool) {
    wait.registers_wanted = waiting->poll.registers - memory_.sync().registers().of_warp(slot_of(warp));
    wait.registers_free = memory_.sync().registers().free_in(warp.cta_slot);
  } else {
    wait.mbarrier = memory_.sync().mbarriers().of(warp.cta_slot, wait.object);
  }
  return wait;
}

}  // namespace gpusim::sm
