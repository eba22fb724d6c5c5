// SPDX-License-Identifier: MIT
#include "sim/machine/sm/warps/dependences.h"

#include <algorithm>
#include <bit>
#include <cassert>

#include "sim/machine/lower/kernel_image.h"

namespace gpusim::sm {

Dependences::Dependences(const lower::KernelImage& image, WarpTable& warps, SubCores& cores, SmEvents& events)
    : warps_(warps), cores_(cores), events_(events) {
  if (image.registers != nullptr) {
    scoreboard_.emplace(image, warps.size());
  }
}

void Dependences::begin_warp(std::uint32_t warp_slot) {
  warps_[warp_slot].counters.edit() = {};
  see_increments(warps_[warp_slot]);
  if (scoreboard_) {
    scoreboard_->begin_warp(warp_slot);
  }
}

Cycle Dependences::begin_wait_for_registers(Warp& warp) {
  const Scoreboard::Needs needs = scoreboard_->needs(warps_.slot_of(warp), warp.next->pc);
  warp.stalls.wait = std::max(warp.stalls.wait.get(), needs.fixed);
  if (needs.by_long.at == kNever || needs.by_short.at == kNever) {
    warp.waits.add(kScoreboards);
  }
  const auto known = [](const Release& release) { return release.at == kNever ? 0 : release.at; };
  return std::max(known(needs.by_long), known(needs.by_short));
}

bool Dependences::asked_counters_clear(const Warp& warp) {
  const lower::WarpOp& op = *warp.op;
  for (std::uint32_t rest = op.wait_mask; rest != 0; rest &= rest - 1) {
    if (warp.seen_outstanding(static_cast<unsigned>(std::countr_zero(rest))) > 0) {
      return false;
    }
  }
  for (std::uint32_t rest = op.increments; rest != 0; rest &= rest - 1) {
    if (warp.counters.get()[static_cast<std::size_t>(std::countr_zero(rest))].outstanding + op.increment_each >
        kMostOutstanding) {
      return false;
    }
  }
  return !op.waits_on_counter_limit || warp.seen_outstanding(op.depbar_counter) <= op.depbar_limit;
}

bool Dependences::waits_for_invisible(const Warp& warp) {
  const unsigned limited = warp.op->waits_on_counter_limit ? 1U << warp.op->depbar_counter : 0U;
  for (std::uint32_t rest = warp.op->wait_mask | limited; rest != 0; rest &= rest - 1) {
    const auto counter = static_cast<unsigned>(std::countr_zero(rest));
    if (warp.seen_outstanding(counter) != warp.counters.get()[counter].outstanding) {
      return true;
    }
  }
  return false;
}

bool Dependences::waits_long(const Warp& warp) const {
  if ((warp.waits & kScoreboards) == 0) {
    return false;
  }
  if (warp.unanswered != 0) {
    return true;  // a poll asks for what other warps do: one that spins would keep them from it
  }
  if (scoreboard_ && scoreboard_->needs(warps_.slot_of(warp), warp.next->pc).by_long.at == kNever) {
    return true;
  }
  std::uint32_t waited = warp.op->wait_mask | warp.op->increments;
  waited |= warp.op->waits_on_counter_limit ? 1U << warp.op->depbar_counter : 0U;
  for (; waited != 0; waited &= waited - 1) {
    if (warp.counters.get()[static_cast<std::size_t>(std::countr_zero(waited))].outstanding_long > 0) {
      return true;
    }
  }
  return false;
}

bool Dependences::are_met(const Warp& warp) const {
  if (scoreboard_) {
    const Scoreboard::Needs needs = scoreboard_->needs(warps_.slot_of(warp), warp.next->pc);
    if (needs.by_long.at == kNever || needs.by_short.at == kNever) {
      return false;
    }
  }
  return counters_clear(warp);
}

/// Notes a limit that has been met with the operation that ends: DEPBAR's, or that of a counter.
void Dependences::note_limit(Warp& warp, const OperationEnd& end, Cycle now) {
  const lower::WarpOp& op = *warp.op;
  const std::uint32_t outstanding = warp.counters.get()[end.counter].outstanding;
  const bool depbar = op.waits_on_counter_limit && end.counter == op.depbar_counter && outstanding == op.depbar_limit;
  const bool room = (op.increments >> end.counter & 1U) != 0 && outstanding + op.increment_each == kMostOutstanding;
  if (depbar || room) {
    warp.stalls.note_limit(end.counter, now, end.pc);
  }
}

bool Dependences::release_counter(Warp& warp, const SmEvent& event, Cycle now) {
  const auto& end = event.as<OperationEnd>();
  if (end.banks != 0) {
    OperationEnd rest = end;
    rest.banks = cores_.of(warp).registers().write(end.banks, now);
    if (rest.banks != 0) {
      events_.push(now + 1, SmEvent(event.kind, event.warp, rest));  // fixed-latency results have the write port
      return false;
    }
  }
  DependenceCounter& counter = warp.counters.edit()[end.counter];
  assert(counter.outstanding > 0);
  counter.last = end.pc;
  if (--counter.outstanding == 0) {
    counter.clear_since = now;
  }
  if (end.producer == lower::ProducerClass::kLong) {
    counter.last_long = end.pc;
    if (--counter.outstanding_long == 0) {
      counter.long_clear_since = now;
    }
  }
  if ((warp.waits & kScoreboards) != 0) {
    note_limit(warp, end, now);
    if (are_met(warp)) {
      cores_.end_wait(warp, kScoreboards, now);
    }
  }
  return true;
}

void Dependences::release_registers(Warp& warp, std::uint32_t pc, Cycle now) {
  if (!scoreboard_ || pc == lower::kNoProducer) {
    return;
  }
  scoreboard_->complete(warps_.slot_of(warp), pc, now);
  if ((warp.waits & kScoreboards) != 0 && are_met(warp)) {
    cores_.end_wait(warp, kScoreboards, now);
  }
}

}  // namespace gpusim::sm
