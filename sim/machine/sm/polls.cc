// SPDX-License-Identifier: MIT
#include "sim/machine/sm/polls.h"

#include <algorithm>

#include "sim/base/problem.h"
#include "sim/machine/lower/kernel_image.h"
#include "sim/machine/sm/async/sync_unit.h"
#include "sim/machine/sm/memory_unit.h"
#include "sim/machine/sm/warps/sub_cores.h"
#include "sim/machine/sm/warps/warp_table.h"
#include "sim/model/trace/kernel.h"
#include "sim/model/trace/walker.h"

namespace gpusim::sm {

[[gnu::noinline]] void Polls::resolve(Warp& warp) const {
  const auto bit = static_cast<std::uint16_t>(1U << warp.op->predicate);
  if ((warp.unanswered & bit) != 0) {
    const isa::InstrText& text = image_.kernel->texts[warp.next->pc];
    throw InputError(Problem{{image_.kernel->where.file, text.line, 0},
                             "'" + text.text + "' issues before the poll that writes its guard is answered",
                             "its control bits must wait for the counter that the poll increments"});
  }
  warp.walker->resolve((warp.answers & bit) != 0, warp.next.edit());
}

[[gnu::noinline]] void Polls::note_answer(Warp& warp, const SmEvent& event) const {
  const auto bit = static_cast<std::uint16_t>(1U << image_.ops[event.as<OperationEnd>().pc].predicate);
  warp.unanswered = static_cast<std::uint16_t>(warp.unanswered & ~bit);
  const bool yes = event.kind == SmEventKind::kPollYes;
  warp.answers = static_cast<std::uint16_t>(yes ? warp.answers | bit : warp.answers & ~bit);
  warp.walker->answer(event.as<OperationEnd>().pc, yes, warp.next.edit());
}

void Polls::begin_warp(Warp& warp) {
  warp.answers = 0;
  warp.unanswered = 0;
}

void Polls::ask(Warp& warp, std::uint8_t predicate) {
  warp.unanswered = static_cast<std::uint16_t>(warp.unanswered | 1U << predicate);
}

[[gnu::noinline]] bool Polls::only_polls_remain() const {
  const bool quiet = events_.size() == sync_.waits().deadlines() - 1 && memory_.idle();
  return quiet &&
         std::all_of(warps_.begin(), warps_.end(), [this](const Warp& w) { return !w.resident || is_at_rest(w); });
}

bool Polls::is_at_rest(const Warp& warp) const {
  if (warp.exited) {
    return true;
  }
  if (cores_.of(warp).is_asleep(warp.slot) || warp.waits == 0 || (warp.waits & mask_of(Stall::kMembar)) != 0) {
    return false;
  }
  const MbarrierWaitQueue::Waiting* poll = sync_.waits().of_warp(warps_.slot_of(warp));
  return poll == nullptr || poll->spins;
}

std::optional<PollWait> Polls::of(const Warp& warp) const {
  const std::uint16_t slot = warps_.slot_of(warp);
  const MbarrierWaitQueue::Waiting* waiting = sync_.waits().of_warp(slot);
  if (waiting == nullptr) {
    return std::nullopt;
  }
  PollWait wait{waiting->poll.object, waiting->poll.pc, waiting->poll.parity, {}, 0, 0};
  if (wait.object == Poll::kRegisterPool) {
    wait.registers_wanted = waiting->poll.registers - sync_.registers().of_warp(slot);
    wait.registers_free = sync_.registers().free_in(warp.cta_slot);
  } else {
    wait.mbarrier = sync_.mbarriers().of(warp.cta_slot, wait.object);
  }
  return wait;
}

}  // namespace gpusim::sm
