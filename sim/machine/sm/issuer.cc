// SPDX-License-Identifier: MIT
#include "sim/machine/sm/issuer.h"

#include <algorithm>
#include <bit>
#include <cassert>

#include "sim/machine/lower/kernel_image.h"
#include "sim/machine/sm/executor.h"
#include "sim/machine/sm/fetch/constant_cache.h"
#include "sim/machine/sm/fetch/front_end.h"
#include "sim/machine/sm/polls.h"
#include "sim/machine/sm/residency.h"
#include "sim/machine/sm/warps/dependences.h"
#include "sim/machine/sm/warps/stall_ledger.h"
#include "sim/machine/sm/warps/sub_cores.h"
#include "sim/machine/sm/warps/warp_table.h"
#include "sim/machine/sm/wgmma/wgmma_unit.h"
#include "sim/model/arch/sm_config.h"
#include "sim/model/trace/walker.h"

namespace gpusim::sm {

Issuer::Issuer(const arch::SmConfig& config, const lower::KernelImage& image, const IssueUnits& units)
    : image_(image),
      units_(units),
      constant_bubble_cycles_(std::max(config.constant.hold_cycles, 1U)),
      ideal_branch_latency_(config.front_end.branch_latency),
      is_plain_(!units.dependences.scoreboard() && !units.ledger.is_watched() &&
                !units.cores[0].scheduler().has_state()),
      runs_ahead_(is_plain_ && !trace::is_recorded(*image.kernel)),
      has_streaks_(runs_ahead_ && image.has_streaks) {}

// Everything that a common instruction takes is inlined into run(), since it takes little. What rarer ones take besides
// is called.

inline void Issuer::count(const Warp& warp, stats::PcProfile& row) {
  ++counters_.warp_instructions;
  ++row.warp_instructions;
  row.thread_instructions += static_cast<std::uint64_t>(std::popcount(warp.next->mask));
  row.active_lanes += static_cast<std::uint64_t>(std::popcount(warp.next->active));
}

/// For how long the pipe of a warp that is ready from `at` on, and its sub-core, have been closed until then.
inline void Issuer::note_ready(const SubCore& core, Warp& warp, Cycle at) {
  warp.ready_since = at;
  warp.throttled_before = core.pipes().closed_before(warp.op->pipe, at);
  warp.bubbles_before = core.pipes().bubble().bubbles_before(at);
}

/// The warp goes to sleep for as long as is known, and waits for whatever else its next instruction needs.
inline void Issuer::begin_wait(SubCore& core, Warp& warp, Cycle now) {
  if (!is_plain_ || !warp.op->waits_for_nothing || warp.waits != 0 || warp.stalls.has_others()) {
    begin_any_wait(core, warp, now);
    return;
  }
  Dependences::see_increments(warp);
  if (warp.stalls.wait == now + 1 && core.make_ready_if_closed(warp.slot, warp.op->pipe, now)) {
    note_ready(core, warp, now + 1);
  } else {
    core.sleep_until(warp.slot, warp.stalls.wait);
  }
}

/// Moves the warp to its next instruction, if there is one; the walker says which.
inline void Issuer::go_on(SubCore& core, Warp& warp, Cycle now) {
  const LaneMask active = warp.next->active;
  const LaneMask mask = warp.next->mask;
  if (warp.walker->next(warp.next.edit(), now)) [[likely]] {
    arrive(core, warp, active, now);
  } else {
    warp.next = {warp.op->pc, active, mask};  // what is left, the drain, is charged to the last instruction
    units_.residency.exit(warp, now);
  }
}

/// The warp has gone on from an instruction that had `active` lanes on its path.
inline void Issuer::arrive(SubCore& core, Warp& warp, LaneMask active, Cycle now) {
  const lower::WarpOp& op = *warp.op;
  if (op.kind == isa::OpKind::kBranch) {
    count_branch(warp, op.pc, active);
  }
  warp.op = &image_.ops[warp.next->pc];
  core.want(warp.slot, *warp.op);
  // Lanes that waited for their turn: their instructions are not those that were fetched behind this one.
  const bool others = (warp.next->active & active) == 0;
  const bool jumps = others || warp.op->place != op.place + 1;
  if (!units_.front_end.is_ideal()) {
    units_.front_end.follow(warp, jumps, now);
  } else if (jumps) {
    warp.stalls.note_end(Stall::kBranchResolving, now + 1 + ideal_branch_latency_);
  }
  begin_wait(core, warp, now);
}

/// Whether the warp has waited for nothing but its stall count and its turn.
inline bool Issuer::has_waited_plainly(const Warp& warp) {
  return warp.op->wait_mask == 0 && !warp.stalls.has_others();
}

/// The common case of issue_any(): an instruction that stays in its sub-core.
inline void Issuer::issue_plain(SubCore& core, Warp& warp, Cycle now) {
  const lower::WarpOp& op = *warp.op;
  stats::PcProfile& row = units_.ledger.row(op.pc);
  if (has_waited_plainly(warp)) {
    units_.ledger.charge_plain(warp, core, row, now);
  } else {
    units_.ledger.charge(warp, 1, now);
    warp.stalls.begin(0);
    warp.has_constant = false;
  }
  count(warp, row);
  warp.gap_begin = now + 1;
  warp.stalls.wait = now + op.stall;
  Dependences::see_increments(warp);
  units_.executor.take_pipe(core, warp, now);
  go_on(core, warp, now);
  core.read_registers(op, warp.slot, now);
}

[[gnu::noinline, gnu::flatten]] void Issuer::issue_any(SubCore& core, Warp& warp, Cycle now) {
  const lower::WarpOp& op = *warp.op;
  if (op.runtime_guard) {
    units_.polls.resolve(warp);
  }
  const bool takes_part = warp.next->mask != 0;  // with its guard false for every lane it issues and does nothing
  stats::PcProfile& row = units_.ledger.row(op.pc);
  if (is_plain_ && has_waited_plainly(warp)) {
    units_.ledger.charge_plain(warp, core, row, now);
  } else {
    units_.ledger.charge(warp, 1, now);
  }
  count(warp, row);
  warp.has_constant = false;
  warp.gap_begin = now + 1;
  warp.stalls.begin(now + op.stall);
  Dependences::see_increments(warp);
  units_.dependences.issue(warp, now);
  units_.executor.begin(core, warp, now);
  go_on(core, warp, now);
  if (takes_part && !warp.exited) {
    units_.executor.end(warp, op, now);
  }
  core.read_registers(op, warp.slot, now);
  if (core.scheduler().has_state()) [[unlikely]] {
    core.scheduler().issued(warp.slot);
  }
  note_long_wait(core, warp);
}

inline void Issuer::issue(SubCore& core, Warp& warp, Cycle now) {
  core.issue(warp.slot, warp.op->pipe);
  if (warp.op->is_plain && is_plain_) {
    issue_plain(core, warp, now);
  } else {
    issue_any(core, warp, now);
  }
}

/// Looks up the operand of an instruction that is about to issue. If it is not there, the warp waits for it.
inline bool Issuer::has_constant(SubCore& core, Warp& warp, Cycle now) {
  if (warp.has_constant || warp.op->pipe == isa::Pipe::kLsu) {
    return true;
  }
  const Cycle arrival = units_.constants.operand(warp.sub_core, warp.op->constant, now);
  if (arrival != now) [[unlikely]] {
    await_constant(core, warp, arrival, now);
  }
  return arrival == now;
}

inline void Issuer::issue_one(SubCore& core, std::uint32_t sub_core, Cycle now) {
  const SlotMask newly_ready = core.take_newly_ready();
  const SlotMask candidates = core.candidates(now);
  if (candidates == 0) {
    note_throttles(newly_ready, sub_core, now);
    core.tick_when_open(now);
    return;
  }
  const std::uint32_t slot = core.pick(candidates);
  const SlotMask others = newly_ready & ~(SlotMask{1} << slot);
  if (others != 0) {
    note_throttles(others, sub_core, now);
  }
  Warp& warp = units_.warps.at(sub_core, slot);
  if (others != newly_ready) {
    warp.ready_since = now;
  }
  if (warp.op->constant == 0 || has_constant(core, warp, now)) {
    issue(core, warp, now);
  }
  if (core.ready() != 0) {
    core.tick_for_others(now);
  }
}

inline void Issuer::run_cycle(SubCore& core, std::uint32_t sub_core, Cycle now) {
  core.wake(now);
  if (units_.front_end.fetches(sub_core, now)) {
    fetch(sub_core, now);
  }
  const SlotMask early = core.take_early();
  if (core.ready() != 0) {
    issue_one(core, sub_core, now);
  }
  if (early != 0) [[unlikely]] {
    see_increments(sub_core, early, now);
  }
  if (units_.front_end.has_work(sub_core)) {
    core.tick_at(now + 1);
  }
}

/// Whether nobody else hears of what the sub-core does in cycle `next`, and it hears of nobody.
inline bool Issuer::stays_inside(SubCore& core, std::uint32_t sub_core, Cycle next) const {
  return runs_ahead_ && next < units_.events.next_time() && !units_.front_end.fetches(sub_core, next) &&
         !core.may_reach_out(next);
}

/// Whether the warp that issued last issues at `at` and, as far as its code says, in the cycle after that, and nothing
/// else happens in the sub-core in that cycle.
inline bool Issuer::begins_streak(const SubCore& core, std::uint32_t sub_core, Cycle at) const {
  if (!has_streaks_ || !core.begins_streak(at)) {
    return false;
  }
  const Warp& warp = units_.warps.at(sub_core, core.last());
  assert(warp.op->streak >= lower::kShortestStreak);
  return !warp.stalls.has_others() && core.pipes().is_open(warp.op->pipe, at) &&
         !units_.front_end.fetches(sub_core, at) && !units_.ledger.records_states();
}

/// Whether the same holds in the cycle after `now`, of the instruction `next` that follows in the code.
inline bool Issuer::continues_streak(const SubCore& core, const Warp& warp, const lower::WarpOp& next, Cycle now) {
  return core.continues_streak(next.pipe, now + 1) &&
         (units_.front_end.is_ideal() || units_.front_end.stays_steady(warp, next.place, now));
}

/// Leaves the warp as the issue of `op` at `now` does, `steps` instructions behind the first of its streak.
inline void Issuer::leave_streak(Warp& warp, const lower::WarpOp& op, std::uint32_t steps, Cycle now) {
  warp.op = &op;
  if (steps != 0) {
    warp.walker->sources()->pass_plain(steps, warp.next.edit());
  }
  assert(warp.next->pc == op.pc);
  warp.ready_since = now;
  warp.gap_begin = now + 1;
  warp.stalls.wait = now + op.stall;
}

/// The reads of the last instruction of a streak, which issued at `now`, keep the one that would have been the next
/// from issuing at once.
inline void Issuer::break_streak(SubCore& core, Warp& warp, Cycle now) {
  if (!units_.front_end.is_ideal()) {
    units_.front_end.follow_steadily(warp, now);
  }
  warp.walker->sources()->pass_plain(1, warp.next.edit());
  ++warp.op.edit();
  core.want(warp.slot, *warp.op);
  core.sleep_until(warp.slot, now + 1);
}

/// One warp issues instructions that follow each other in the code, in cycle after cycle, from `begin` to `end` at
/// most, and nothing else of its sub-core has anything to do in these cycles. Does what run_cycle() does in each of
/// them; returns the last. What only the last of them leaves behind is noted when it is through.
[[gnu::noinline, gnu::flatten]] Cycle Issuer::issue_streak(SubCore& core, std::uint32_t sub_core, Cycle begin,
                                                           Cycle end) {
  Warp& warp = units_.warps.at(sub_core, core.last());
  const lower::WarpOp* op = warp.op;
  const trace::ProgramSources* const program = warp.walker->sources();
  const std::uint32_t steps = program != nullptr ? std::min(op->streak - 1U, program->plain_ahead()) : 0;
  const Cycle last = std::min(end - 1, begin + steps);
  core.begin_streak(op->pipe, begin);
  Dependences::see_increments(warp);
  stats::PcProfile* row = &units_.ledger.row(op->pc);
  row->stalls[static_cast<std::size_t>(Stall::kWait)] += begin - warp.gap_begin;
  const auto active = static_cast<std::uint64_t>(std::popcount(warp.next->active));
  auto lanes = static_cast<std::uint64_t>(std::popcount(warp.next->mask));
  Cycle now = begin;
  for (bool goes_on = true; goes_on;) {
    ++row->stalls[static_cast<std::size_t>(Stall::kSelected)];
    ++row->warp_instructions;
    row->thread_instructions += lanes;
    row->active_lanes += active;
    goes_on = now < last && continues_streak(core, warp, op[1], now);
    if (!goes_on) {
      leave_streak(warp, *op, static_cast<std::uint32_t>(now - begin), now);
      go_on(core, warp, now);
    }
    const bool stops = core.read_registers(*op, warp.slot, now);
    if (goes_on && stops) [[unlikely]] {
      leave_streak(warp, *op, static_cast<std::uint32_t>(now - begin), now);
      break_streak(core, warp, now);
      goes_on = false;
    } else if (goes_on) {
      ++op;
      ++row;
      lanes = active;
      core.pass(++now);
    }
  }
  counters_.warp_instructions += now - begin + 1;
  if (core.ready() != 0) {
    core.tick_for_others(now);
  }
  if (units_.front_end.has_work(sub_core)) {
    core.tick_at(now + 1);
  }
  return now;
}

[[gnu::noinline, gnu::flatten]] Cycle Issuer::run(std::uint32_t sub_core, Cycle now, Cycle horizon) {
  SubCore& core = units_.cores[sub_core];
  Cycle next = now;
  do {
    if (begins_streak(core, sub_core, next)) {
      next = issue_streak(core, sub_core, next, std::min(horizon, units_.events.next_time()));
    } else {
      run_cycle(core, sub_core, next);
    }
    next = core.next_tick(next);
  } while (next < horizon && stays_inside(core, sub_core, next));
  return next;
}

[[gnu::noinline]] void Issuer::fetch(std::uint32_t sub_core, Cycle now) {
  units_.front_end.fetch(
      sub_core, units_.cores[sub_core],
      [this, sub_core](std::uint32_t slot) -> Warp& { return units_.warps.at(sub_core, slot); }, now);
}

/// Notes the throttles of warps that have become ready. A warp that issues in the cycle in which it becomes ready needs
/// no note.
[[gnu::noinline]] void Issuer::note_throttles(SlotMask warps, std::uint32_t sub_core, Cycle now) {
  const SubCore& core = units_.cores[sub_core];
  for (; warps != 0; warps &= warps - 1) {
    note_ready(core, units_.warps.at(sub_core, static_cast<std::uint32_t>(std::countr_zero(warps))), now);
  }
}

/// The sub-core waits for the constant for a while before it turns to another warp, and the warp until it comes; its
/// wait so far is charged.
[[gnu::noinline]] void Issuer::await_constant(SubCore& core, Warp& warp, Cycle arrival, Cycle now) {
  core.bubble_until(std::min(arrival, now + constant_bubble_cycles_));
  units_.ledger.charge(warp, 0, now);
  warp.gap_begin = now;
  warp.stalls.begin(0);
  units_.cores.block(warp, mask_of(Stall::kImcMiss));
  units_.events.push(arrival, SmEvent(SmEventKind::kConstant, units_.warps.slot_of(warp)));
}

void Issuer::note_constant(Warp& warp, Cycle now) {
  warp.has_constant = true;
  units_.cores.end_stall(warp, Stall::kImcMiss, now);
}

[[gnu::noinline]] void Issuer::begin_any_wait(SubCore& core, Warp& warp, Cycle now) {
  const Cycle registers = units_.dependences.begin_register_wait(warp);
  Cycle due = std::max(warp.stalls.wait.get(), registers);
  if (warp.stalls.has_others()) {
    due = std::max(due, warp.stalls.last_end());
  }
  assert(due > now);
  if (due - now < SubCore::kRing) {
    core.sleep_until(warp.slot, due);
  } else {
    core.sleep(warp.slot);
    units_.events.push(due, SmEvent(SmEventKind::kWarpTimer, units_.warps.slot_of(warp)));
  }
  if (warp.invisible_increments != 0) {
    const bool early = due == now + 1 && Dependences::waits_for_invisible(warp);
    if (early) {
      core.set_early(warp.slot);
    } else {
      Dependences::see_increments(warp);
    }
  }
  if (!Dependences::counters_clear(warp)) {
    warp.waits.add(kScoreboards);
  }
  if (warp.op->waits_on_wgmma && warp.next->mask != 0 && !units_.wgmma.allows(warp)) {
    warp.waits.add(mask_of(Stall::kGmma));
  }
  if (warp.waits != 0) {
    core.block(warp.slot);
  }
}

/// The branch `pc` (an index) was on a path of `active` lanes.
void Issuer::count_branch(const Warp& warp, std::uint32_t pc, LaneMask active) {
  const bool both_ways = warp.next->active != active && (warp.next->active & ~active) == 0;
  ++counters_.branches;
  counters_.divergent_branches += both_ways ? 1 : 0;
  units_.ledger.row(pc).divergent_branches += both_ways ? 1 : 0;
}

/// A two-level scheduler turns to another warp when one begins a long wait.
void Issuer::note_long_wait(SubCore& core, const Warp& warp) {
  if (!core.scheduler().has_state()) {
    return;
  }
  constexpr StallMask kLong = mask_of(Stall::kBarrier) | mask_of(Stall::kMembar) | mask_of(Stall::kGmma);
  const bool sleeps = warp.stalls.holds(Stall::kSleeping);
  if (warp.exited || sleeps || (warp.waits & kLong) != 0 || units_.dependences.waits_long(warp)) {
    core.scheduler().began_long_wait(warp.slot);
  }
}

/// The counter increments of the cycle before become visible: of the warps in the mask, whose next instruction waits
/// for what its predecessor incremented, those that have not issued in this cycle (too early, but so does the silicon)
/// see them from now on.
[[gnu::noinline]] void Issuer::see_increments(std::uint32_t sub_core, SlotMask warps, Cycle now) {
  SubCore& core = units_.cores[sub_core];
  for (; warps != 0; warps &= warps - 1) {
    Warp& warp = units_.warps.at(sub_core, static_cast<std::uint32_t>(std::countr_zero(warps)));
    if (!warp.resident || warp.gap_begin > now) {
      continue;  // it has issued
    }
    Dependences::see_increments(warp);
    if (Dependences::counters_clear(warp)) {
      continue;
    }
    if ((core.ready() >> warp.slot & 1U) != 0) {
      units_.ledger.withdraw(warp, now);
    }
    units_.cores.block(warp, kScoreboards);
    note_long_wait(core, warp);
  }
}

stats::SmCounters Issuer::counters() const {
  stats::SmCounters sum = counters_;
  sum.issue_cycles = sum.warp_instructions;
  return sum;
}

}  // namespace gpusim::sm
