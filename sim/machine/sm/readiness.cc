// SPDX-License-Identifier: MIT
// What a warp's next instruction waits for, and what ends each wait. A warp sleeps on its conditions; the last that
// ends makes it ready.
#include <algorithm>
#include <bit>
#include <cassert>

#include "sim/machine/sm/sm.h"

namespace gpusim::sm {

void Sm::begin_any_wait(SubCore& core, Warp& warp, Cycle now) {
  const Cycle registers = scoreboard_ ? begin_register_wait(warp) : 0;
  Cycle due = std::max(warp.release.wait, registers);
  if (warp.release.has_others()) {
    due = std::max({due, warp.release.others().branch, warp.release.others().sleeping});
  }
  assert(due > now);
  if (due - now < SubCore::kRing) {
    core.sleep_until(warp.slot, due);
  } else {
    core.sleep(warp.slot);
    events_.push(due, {SmEventKind::kWarpTimer, 0, lower::ProducerClass::kShort, slot_of(warp), 0});
  }
  if (warp.fresh_raises != 0) {
    const bool early = due == now + 1 && waits_for_fresh_raise(warp);
    warp.fresh_raises = early ? warp.fresh_raises : 0;
    if (early) {
      core.set_early(warp.slot);
    }
  }
  if (!counters_clear(warp)) {
    warp.waits |= kWaitsForCounters;
  }
  if (warp.op->waits_on_products && warp.next.mask != 0 && !products_allow(warp)) {
    warp.waits |= kWaitsForGmma;
  }
  if (warp.waits != 0) {
    core.block(warp.slot);
  }
}

/// Waits for the registers of the next instruction. Returns when those are there whose time is known.
Cycle Sm::begin_register_wait(Warp& warp) {
  const Scoreboard::Needs needs = scoreboard_->needs(slot_of(warp), warp.next.pc);
  warp.release.wait = std::max(warp.release.wait, needs.fixed);
  if (needs.by_long.at == kNever || needs.by_short.at == kNever) {
    warp.waits |= kWaitsForCounters;
  }
  const auto known = [](const Release& release) { return release.at == kNever ? 0 : release.at; };
  return std::max(known(needs.by_long), known(needs.by_short));
}

bool Sm::dependences_met(const Warp& warp) const {
  if (scoreboard_) {
    const Scoreboard::Needs needs = scoreboard_->needs(slot_of(warp), warp.next.pc);
    if (needs.by_long.at == kNever || needs.by_short.at == kNever) {
      return false;
    }
  }
  return counters_clear(warp);
}

void Sm::release_registers(Warp& warp, std::uint32_t pc, Cycle now) {
  if (!scoreboard_ || pc == lower::kNoProducer) {
    return;
  }
  scoreboard_->complete(slot_of(warp), pc, now);
  if ((warp.waits & kWaitsForCounters) != 0 && dependences_met(warp)) {
    end_wait(warp, kWaitsForCounters);
  }
}

bool Sm::waits_for_fresh_raise(const Warp& warp) {
  const unsigned limited = warp.op->waits_on_counter_limit ? 1U << warp.op->depbar_counter : 0U;
  for (std::uint32_t rest = warp.op->wait_mask | limited; rest != 0; rest &= rest - 1) {
    const auto counter = static_cast<unsigned>(std::countr_zero(rest));
    if (warp.seen_outstanding(counter) != warp.counters[counter].outstanding) {
      return true;
    }
  }
  return false;
}

/// Whether a warp that has just issued begins a wait of the kind for which a two-level scheduler turns to another one.
bool Sm::waits_long(const Warp& warp) const {
  constexpr unsigned kOthers = kWaitsForBarrier | kWaitsForFence | kWaitsForGmma | kWaitsForCluster;
  if (warp.exited || warp.release.others().sleeping != 0 || (warp.waits & kOthers) != 0) {
    return true;
  }
  if ((warp.waits & kWaitsForCounters) == 0) {
    return false;
  }
  if (warp.unanswered != 0) {
    return true;  // a poll asks for what other warps do: one that spins would keep them from it
  }
  if (scoreboard_ && scoreboard_->needs(slot_of(warp), warp.next.pc).by_long.at == kNever) {
    return true;
  }
  std::uint32_t waited = warp.op->wait_mask | warp.op->raises;
  waited |= warp.op->waits_on_counter_limit ? 1U << warp.op->depbar_counter : 0U;
  for (; waited != 0; waited &= waited - 1) {
    if (warp.counters[static_cast<std::size_t>(std::countr_zero(waited))].outstanding_long > 0) {
      return true;
    }
  }
  return false;
}

void Sm::note_long_wait(const Warp& warp) {
  if (waits_long(warp)) {
    sub_cores_[warp.sub_core].leave_active(warp.slot);
  }
}

/// The raises of the cycle before take effect: of the warps in the mask, whose next instruction waits for what its
/// predecessor raised, those that have not issued in this one (too early, but so does the silicon) see them from now
/// on.
void Sm::see_raises(std::uint32_t sub_core, SlotMask warps, Cycle now) {
  for (; warps != 0; warps &= warps - 1) {
    Warp& warp = warp_at(sub_core, static_cast<std::uint32_t>(std::countr_zero(warps)));
    if (!warp.resident || warp.gap_begin > now) {
      continue;  // it has issued
    }
    warp.fresh_raises = 0;
    if (counters_clear(warp)) {
      continue;
    }
    if ((sub_cores_[sub_core].ready() >> warp.slot & 1U) != 0) {
      withdraw(warp, now);
    }
    block(warp, kWaitsForCounters);
    if (sub_cores_[sub_core].is_two_level()) {
      note_long_wait(warp);
    }
  }
}

/// One more reason for which the warp waits.
void Sm::block(Warp& warp, WaitReason reason) {
  warp.waits |= reason;
  sub_cores_[warp.sub_core].block(warp.slot);
}

/// A ready warp is none from the next cycle on: what kept it from issuing in this one is charged.
void Sm::withdraw(Warp& warp, Cycle now) {
  GapCharger charger(profile_->rows[warp.next.pc], warp, name_of(warp), job_.watch);
  charge_candidate(warp, charger, now + 1);
  warp.gap_begin = now + 1;
}

bool Sm::counters_clear(const Warp& warp) {
  const lower::WarpOp& op = *warp.op;
  for (std::uint32_t rest = op.wait_mask; rest != 0; rest &= rest - 1) {
    if (warp.seen_outstanding(static_cast<unsigned>(std::countr_zero(rest))) > 0) {
      return false;
    }
  }
  for (std::uint32_t rest = op.raises; rest != 0; rest &= rest - 1) {
    if (warp.counters[static_cast<std::size_t>(std::countr_zero(rest))].outstanding + op.raises_each >
        kMostOutstanding) {
      return false;
    }
  }
  return !op.waits_on_counter_limit || warp.seen_outstanding(op.depbar_counter) <= op.depbar_limit;
}

/// Notes a limit that has been met with the release of `event`: DEPBAR's, or that of a counter.
void Sm::note_limit(Warp& warp, const SmEvent& event, Cycle now) {
  const lower::WarpOp& op = *warp.op;
  const std::uint32_t outstanding = warp.counters[event.counter].outstanding;
  const bool depbar = op.waits_on_counter_limit && event.counter == op.depbar_counter && outstanding == op.depbar_limit;
  const bool room = (op.raises >> event.counter & 1U) != 0 && outstanding + op.raises_each == kMostOutstanding;
  if (depbar || room) {
    warp.release.put().counter_limit = now;
    warp.release.put().counter_limit_producer = event.pc;
    warp.release.put().limited_counter = event.counter;
  }
}

void Sm::release_counter(Warp& warp, const SmEvent& event, Cycle now) {
  if (event.banks != 0) {
    SmEvent rest = event;
    rest.banks = sub_cores_[warp.sub_core].registers().write(event.banks, now);
    if (rest.banks != 0) {
      events_.push(now + 1, rest);  // fixed-latency results have the write port
      return;
    }
  }
  DependenceCounter& counter = warp.counters[event.counter];
  assert(counter.outstanding > 0);
  counter.last = event.pc;
  if (--counter.outstanding == 0) {
    counter.clear_since = now;
  }
  if (event.producer == lower::ProducerClass::kLong) {
    counter.last_long = event.pc;
    if (--counter.outstanding_long == 0) {
      counter.long_clear_since = now;
    }
  }
  if ((warp.waits & kWaitsForCounters) != 0) {
    note_limit(warp, event, now);
    if (dependences_met(warp)) {
      end_wait(warp, kWaitsForCounters);
    }
  }
  operation_done(warp, now);
}

void Sm::end_wait(Warp& warp, WaitReason reason) {
  assert((warp.waits & reason) != 0);
  warp.waits = static_cast<std::uint8_t>(warp.waits & ~reason);
  if (warp.waits == 0) {
    sub_cores_[warp.sub_core].unblock(warp.slot);
    look_now(warp.sub_core);
  }
}

void Sm::release_barrier(WarpMask warps, Cycle now) {
  for (; warps != 0; warps &= warps - 1) {
    const auto slot = static_cast<std::uint16_t>(std::countr_zero(warps));
    events_.push(after_issue(now, arch_.sm.barrier_latency),
                 {SmEventKind::kBarrierRelease, 0, lower::ProducerClass::kShort, slot, 0});
  }
}

}  // namespace gpusim::sm
