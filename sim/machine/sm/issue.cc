// SPDX-License-Identifier: MIT
// One instruction issues: its wait is charged, its effects begin, the warp's next instruction is fetched.
#include <algorithm>
#include <bit>
#include <cassert>

#include "sim/machine/sm/sm.h"

namespace gpusim::sm {
namespace {

using isa::OpKind;
using isa::Pipe;

/// Cycles from issue until a variable-latency instruction other than a memory access has read its registers: control,
/// allocate, and the three-cycle read window (Huerta et al., MICRO 2025).
constexpr Cycle kOperandReadCycles = 5;

stats::Stall throttle_of(const lower::WarpOp& op) {
  if (op.pipe != Pipe::kLsu) {
    return stats::Stall::kMathPipeThrottle;
  }
  return isa::is_of_l1tex(op.space) ? stats::Stall::kLgThrottle : stats::Stall::kMioThrottle;
}

}  // namespace

inline void Sm::count(const Warp& warp, Profile::Row& row) {
  ++counters_.warp_instructions;
  ++row.warp_instructions;
  row.thread_instructions += static_cast<std::uint64_t>(std::popcount(warp.next.mask));
  row.active_lanes += static_cast<std::uint64_t>(std::popcount(warp.next.active));
}

/// An instruction enters its sub-core's pipe. One that leaves the latch open for the next cycle need not be noted.
inline void Sm::take_pipe(SubCore& core, const Warp& warp, Cycle now) {
  const lower::WarpOp& op = *warp.op;
  if (!op.blocks_pipe) {
    return;
  }
  core.occupy(op.pipe, now, op.interval);
  const Cycle opens = core.gate(op.pipe).opens_at();
  if (opens - now >= SubCore::kRing) {
    events_.push(opens, {SmEventKind::kTick, 0, op.producer, static_cast<std::uint16_t>(warp.sub_core), 0});
  }
}

/// The warp goes to sleep for as long as is known, and waits for whatever else its next instruction needs.
inline void Sm::begin_wait(SubCore& core, Warp& warp, Cycle now) {
  if (is_plain_ && warp.op->waits_for_nothing && warp.waits == 0 && !warp.release.has_others()) {
    warp.fresh_raises = 0;
    core.sleep_until(warp.slot, warp.release.wait);
  } else {
    begin_any_wait(core, warp, now);
  }
}

/// Moves the warp to its next instruction; the walker says which one.
inline void Sm::follow(SubCore& core, Warp& warp, Cycle now) {
  const lower::WarpOp& op = *warp.op;
  const trace::Step done = warp.next;
  if (!warp.walker.next(warp.next)) [[unlikely]] {
    warp.next = done;  // what is left, the drain, is charged to the last instruction
    exit_warp(warp, now);
    return;
  }
  if (op.kind == OpKind::kBranch) {
    count_branch(warp, done);
  }
  warp.op = &job_.image->ops[warp.next.pc];
  core.want(warp.slot, warp.op->pipe);
  // Lanes that waited for their turn: their instructions are not those that were fetched behind this one.
  const bool others = (warp.next.active & done.active) == 0;
  const bool jumps = others || warp.op->place != op.place + 1;
  if (!front_end_.is_ideal()) {
    front_end_.follow(warp, jumps, now);
  } else if (jumps) {
    warp.release.put().branch = now + 1 + arch_.sm.front_end.branch_latency;
  }
  begin_wait(core, warp, now);
}

/// The common case of issue_any(): an instruction that stays in its sub-core, of a warp that has waited for a stall
/// count alone, and then not for its turn.
inline void Sm::issue_plain(SubCore& core, Warp& warp, Cycle now) {
  const lower::WarpOp& op = *warp.op;
  Profile::Row& row = profile_->rows[op.pc];
  row.stalls[static_cast<std::size_t>(stats::Stall::kWait)] += now - warp.gap_begin;
  ++row.stalls[static_cast<std::size_t>(stats::Stall::kSelected)];
  count(warp, row);
  warp.gap_begin = now + 1;
  warp.release.wait = now + op.stall;
  take_pipe(core, warp, now);
  follow(core, warp, now);
  core.read_registers(op, warp.slot, now);
}

[[gnu::noinline]] void Sm::issue_any(SubCore& core, Warp& warp, Cycle now) {
  const lower::WarpOp& op = *warp.op;
  if (op.live) {
    resolve_live(warp);
  }
  const bool takes_part = warp.next.mask != 0;  // with its guard false for every lane it issues and does nothing
  Profile::Row& row = profile_->rows[op.pc];
  charge_wait(warp, row, 1, now);
  count(warp, row);
  warp.has_constant = false;
  warp.gap_begin = now + 1;
  warp.release.clear();
  warp.release.wait = now + op.stall;
  warp.fresh_raises = 0;
  if (scoreboard_) {
    scoreboard_->issue(slot_of(warp), op.pc, now);
  }
  begin_effects(core, warp, now);
  follow(core, warp, now);
  if (takes_part && !warp.exited) {
    end_effects(warp, op, now);
  }
  core.read_registers(op, warp.slot, now);
  if (core.is_two_level()) {
    note_long_wait(warp);
  }
}

inline void Sm::issue(SubCore& core, Warp& warp, Cycle now) {
  const lower::WarpOp& op = *warp.op;
  core.issue(warp.slot, op.pipe);
  const bool only_slept = op.wait_mask == 0 && now == warp.ready_since && !warp.release.has_others();
  if (op.is_plain && is_plain_ && only_slept && !warp.has_constant) {
    issue_plain(core, warp, now);
  } else {
    issue_any(core, warp, now);
  }
}

inline void Sm::issue_from(SubCore& core, std::uint32_t sub_core, Cycle now) {
  const SlotMask newly_ready = core.take_newly_ready();
  const SlotMask candidates = core.candidates(now);
  if (candidates == 0) {
    note_throttles(newly_ready, sub_core, now);
    return;  // every ready warp's pipe is closed; its opening is an event or a tick
  }
  const std::uint32_t slot = core.pick(candidates);
  const SlotMask others = newly_ready & ~(SlotMask{1} << slot);
  if (others != 0) {
    note_throttles(others, sub_core, now);
  }
  Warp& warp = warp_at(sub_core, slot);
  if (others != newly_ready) {
    warp.ready_since = now;
  }
  if (warp.op->constant == 0 || has_constant(warp, now)) {
    issue(core, warp, now);
  }
  if (core.ready() != 0) {
    core.tick_after_hold(now);
  }
}

/// One cycle of a sub-core: sleeps that are over, the fetch, the issue. Everything that a common instruction takes is
/// inlined here, since it takes little; what rarer ones take besides is called.
[[gnu::flatten]] void Sm::look_at(std::uint32_t sub_core, Cycle now) {
  SubCore& core = sub_cores_[sub_core];
  core.wake(now);
  if (front_end_.fetches(sub_core, now)) {
    fetch(sub_core, now);
  }
  const SlotMask early = core.take_early();
  if (core.ready() != 0) {
    issue_from(core, sub_core, now);
  }
  if (early != 0) [[unlikely]] {
    see_raises(sub_core, early, now);
  }
  if (front_end_.has_work(sub_core)) {
    core.tick_at(now + 1);
  }
  looks_[sub_core] = core.next_tick(now);
}

[[gnu::noinline]] void Sm::fetch(std::uint32_t sub_core, Cycle now) {
  front_end_.fetch(
      sub_core, sub_cores_[sub_core], [this, sub_core](std::uint32_t slot) -> Warp& { return warp_at(sub_core, slot); },
      now);
}

/// For how long the pipes of warps that have become ready, and their sub-core, had been closed until now. A warp that
/// issues in the cycle in which it becomes ready does not need to know.
[[gnu::noinline]] void Sm::note_throttles(SlotMask warps, std::uint32_t sub_core, Cycle now) {
  const SubCore& core = sub_cores_[sub_core];
  for (; warps != 0; warps &= warps - 1) {
    Warp& warp = warp_at(sub_core, static_cast<std::uint32_t>(std::countr_zero(warps)));
    warp.ready_since = now;
    warp.throttled_before = core.closed_before(warp.op->pipe, now);
    warp.held_before = core.hold().held_before(now);
  }
}

/// Looks up the operand of an instruction that is about to issue. If it is not there, the sub-core waits for it for a
/// while before it turns to another warp, and the warp until it comes; its wait so far is charged.
[[gnu::noinline]] bool Sm::has_constant(Warp& warp, Cycle now) {
  if (warp.has_constant || warp.op->pipe == Pipe::kLsu) {
    return true;
  }
  const Cycle arrival = constants_.operand(warp.sub_core, warp.op->constant, now);
  if (arrival == now) {
    return true;
  }
  SubCore& core = sub_cores_[warp.sub_core];
  core.hold_until(std::min(arrival, now + std::max(arch_.sm.constant.hold_cycles, 1U)));
  charge_wait(warp, profile_->rows[warp.next.pc], 0, now);
  warp.gap_begin = now;
  warp.release.clear();
  block(warp, kWaitsForConstant);
  events_.push(arrival, {SmEventKind::kConstant, 0, lower::ProducerClass::kShort, slot_of(warp), 0});
  return false;
}

/// Splits the cycles since the last issue among their causes, and adds those in which it is selected. Up to ready_since
/// they are the warp's own; from then on the register ports' and its pipe's, and what is left was another warp's turn.
void Sm::charge_wait(Warp& warp, Profile::Row& row, std::uint64_t selected, Cycle now) {
  const WarpName name = job_.watch != nullptr ? name_of(warp) : WarpName{};
  GapCharger charger(row, warp, name, job_.watch);
  if (scoreboard_) [[unlikely]] {
    const Scoreboard::Needs needs = scoreboard_->needs(slot_of(warp), warp.next.pc);
    warp.release.put().long_register = needs.by_long;
    warp.release.put().short_register = needs.by_short;
  }
  charge_private_causes(warp, charger);
  assert(charger.cursor() == warp.ready_since);
  charge_candidate(warp, charger, now);
  charger.add(stats::Stall::kSelected, selected);
}

/// What kept a ready warp from issuing before `end`.
void Sm::charge_candidate(const Warp& warp, GapCharger& charger, Cycle end) const {
  if (end == warp.ready_since) {
    return;
  }
  const SubCore& core = sub_cores_[warp.sub_core];
  charger.add(stats::Stall::kDispatchStall, core.hold().held_before(end) - warp.held_before);
  charger.add(throttle_of(*warp.op), core.closed_before(warp.op->pipe, end) - warp.throttled_before);
  charger.add(stats::Stall::kNotSelected, end - charger.cursor());
}

/// What an instruction does when it issues.
void Sm::begin_effects(SubCore& core, Warp& warp, Cycle now) {
  const lower::WarpOp& op = *warp.op;
  switch (op.kind) {
    case OpKind::kBarrier:
    case OpKind::kClusterArrive:
    case OpKind::kClusterWait:
    case OpKind::kFence: break;
    case OpKind::kWarpgroupProduct: issue_product(warp, now); break;
    case OpKind::kSleep: warp.release.put().sleeping = warp.next.mask != 0 ? now + 1 + op.latency : 0; break;
    default:
      if (op.pipe == Pipe::kLsu) {
        execute_memory(warp, now);
      } else {
        execute_variable(core, warp, now);
      }
  }
}

/// What it does to a warp that has gone on to its next instruction: it may have to wait there.
void Sm::end_effects(Warp& warp, const lower::WarpOp& op, Cycle now) {
  switch (op.kind) {
    case OpKind::kBarrier: arrive_at_barrier(warp, op.pc, now); break;
    case OpKind::kClusterArrive: arrive_at_cluster(warp, op.pc, now); break;
    case OpKind::kClusterWait: wait_for_cluster(warp, op.pc); break;
    case OpKind::kFence:
      block(warp, kWaitsForFence);
      memory_.fence(slot_of(warp), op.latency, now);
      break;
    default: break;
  }
}

void Sm::arrive_at_barrier(Warp& warp, std::uint32_t pc, Cycle now) {
  const isa::Instr& instr = job_.image->kernel->code[pc];
  if (instr.barrier_waits) {
    block(warp, kWaitsForBarrier);
  }
  const std::uint32_t warps = (instr.barrier_threads + kWarpLanes - 1) / kWarpLanes;
  release_barrier(ctas_.arrive(warp.cta_slot, {instr.barrier_id, warps, instr.barrier_waits}, slot_of(warp)), now);
}

/// An instruction of a sub-core's own pipe. Only variable-latency ones raise counters.
void Sm::execute_variable(SubCore& core, Warp& warp, Cycle now) {
  const lower::WarpOp& op = *warp.op;
  take_pipe(core, warp, now);
  if (op.read_barrier != isa::kNoBarrier) {
    raise(warp, op.read_barrier, op.producer);
    const Cycle read = now + kOperandReadCycles + core.registers().read_delay(op.ports, now);
    events_.push(read, {SmEventKind::kCounterRelease, op.read_barrier, op.producer, slot_of(warp), op.pc});
  }
  if (op.write_barrier != isa::kNoBarrier) {
    raise(warp, op.write_barrier, op.producer);
    events_.push(after_issue(now, op.latency), {SmEventKind::kCounterRelease, op.write_barrier, op.producer,
                                                slot_of(warp), op.pc, op.ports.variable_writes});
  }
  warp.in_flight += (op.read_barrier != isa::kNoBarrier ? 1U : 0U) + (op.write_barrier != isa::kNoBarrier ? 1U : 0U);
}

void Sm::execute_memory(Warp& warp, Cycle now) {
  const lower::WarpOp& op = *warp.op;
  if (op.read_barrier != isa::kNoBarrier) {
    raise(warp, op.read_barrier, op.producer);
  }
  if (op.write_barrier != isa::kNoBarrier) {
    raise(warp, op.write_barrier, op.producer);
  }
  warp.in_flight += MemoryUnit::operations(op);
  const auto sub_core = static_cast<std::uint16_t>(warp.sub_core);
  if (op.kind == OpKind::kPoll) {
    warp.unanswered |= warp.next.mask != 0 ? static_cast<std::uint16_t>(1U << op.predicate) : std::uint16_t{0};
  }
  Origin origin{slot_of(warp), sub_core, warp.next.mask, static_cast<std::uint16_t>(warp.cta_slot), {}};
  if (op.of_cluster && warp.next.mask != 0) {
    origin.remote = remote_target(warp);
  }
  PerWorker& worker = mine(*job_.workers);
  if (const std::uint32_t sectors =
          memory_.accept(op, origin, {warp.walker, worker.coalescer, worker.bank_conflicts}, now);
      sectors != 0) {
    Profile::Row& row = worker.profile.rows[op.pc];
    ++row.memory_requests;
    row.memory_sectors += sectors;
  }
  if (memory_.is_full(warp.sub_core)) {
    sub_cores_[warp.sub_core].close(Pipe::kLsu, now + 1);
  }
}

void Sm::raise(Warp& warp, std::uint8_t counter, lower::ProducerClass producer) {
  ++warp.counters[counter].outstanding;
  warp.fresh_raises += 1U << Warp::kFreshBits * counter;
  if (producer == lower::ProducerClass::kLong) {
    ++warp.counters[counter].outstanding_long;
  }
}

void Sm::count_branch(const Warp& warp, const trace::Step& done) {
  const bool both_ways = warp.next.active != done.active && (warp.next.active & ~done.active) == 0;
  ++counters_.branches;
  counters_.divergent_branches += both_ways ? 1 : 0;
  profile_->rows[done.pc].divergent_branches += both_ways ? 1 : 0;
}

}  // namespace gpusim::sm
