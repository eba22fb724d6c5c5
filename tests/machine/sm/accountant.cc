// SPDX-License-Identifier: MIT
#include "tests/machine/sm/accountant.h"

#include <bit>

namespace gpusim::test {
namespace {

using stats::Stall;

bool has_issued(const sm::Warp& warp, bool was_resident, bool had_exited, Cycle now) {
  if (!warp.resident) {
    return was_resident && !had_exited;  // its last instruction left nothing behind
  }
  // A gap may also begin anew when an increment that its instruction did not see takes effect; the stall count, then,
  // is over.
  return !had_exited && warp.gap_begin == now + 1 && warp.stalls.wait > now;
}

std::uint32_t increments_of(const lower::WarpOp& op, std::uint32_t counter) {
  return (op.write_barrier == counter ? 1U : 0U) + (op.read_barrier == counter ? 1U : 0U);
}

/// The scoreboard that keeps the instruction, if one does: L1TEX before the others. `unseen` is an instruction that
/// issued in the cycle before and whose stall count lets this one issue now: its increments are not visible yet.
std::optional<Stall> scoreboard(const sm::Warp& warp, const lower::WarpOp& op, const lower::WarpOp* unseen) {
  bool blocked = false;
  bool blocked_long = false;
  for (std::uint32_t i = 0; i < isa::kDependenceCounters; ++i) {
    const sm::DependenceCounter& counter = warp.counters.get()[i];
    const std::uint32_t invisible = unseen != nullptr ? increments_of(*unseen, i) : 0;
    const bool waited = (op.wait_mask >> i & 1U) != 0 && counter.outstanding > invisible;
    const bool limited =
        op.kind == isa::OpKind::kDepbar && op.depbar_counter == i && counter.outstanding > op.depbar_limit + invisible;
    const bool full = increments_of(op, i) > 0 && counter.outstanding + increments_of(op, i) > 63;
    blocked = blocked || waited || limited || full;
    blocked_long = blocked_long || ((waited || limited || full) && counter.outstanding_long > 0);
  }
  if (!blocked) {
    return std::nullopt;
  }
  return blocked_long ? Stall::kLongScoreboard : Stall::kShortScoreboard;
}

Stall throttle(const lower::WarpOp& op) {
  if (op.pipe != isa::Pipe::kLsu) {
    return Stall::kMathPipeThrottle;
  }
  return isa::is_of_l1tex(op.space) ? Stall::kLgThrottle : Stall::kMioThrottle;
}

}  // namespace

void Accountant::observe(const sm::Sm& sm, const lower::KernelImage& image, Cycle now) {
  memory_.resize(sm.warp_slots());
  by_slot_.resize(sm.warp_slots());
  issued_pipes_.assign(sm.warp_slots(), 0);
  for (std::uint32_t slot = 0; slot < sm.warp_slots(); ++slot) {
    const Memory& memory = memory_[slot];
    const sm::Warp& warp = sm.warp(slot);
    const std::uint32_t pc = memory.resident ? memory.pc : 0;  // every walk begins at the first line
    if (has_issued(warp, memory.resident, memory.exited, now)) {
      issued_pipes_[warp.sub_core] |= 1U << static_cast<unsigned>(image.ops[pc].pipe);
    }
  }
  for (std::uint32_t slot = 0; slot < sm.warp_slots(); ++slot) {
    account(sm, image, slot, now);
  }
}

void Accountant::account(const sm::Sm& sm, const lower::KernelImage& image, std::uint32_t slot, Cycle now) {
  Memory& memory = memory_[slot];
  const sm::Warp& warp = sm.warp(slot);
  if (!warp.resident && !memory.resident) {
    return;
  }
  if (!memory.resident) {
    memory = {true, false, 0, {}, nullptr, false};
  }
  const std::uint32_t waiting_pc = memory.pc;
  if (has_issued(warp, true, memory.exited, now)) {
    charge(slot, waiting_pc, Stall::kSelected);
    note_issue(warp, image, memory, now);
  } else if (warp.resident) {
    charge(slot, waiting_pc, memory.exited ? Stall::kDrain : cause(sm, warp, image.ops[waiting_pc], memory, now));
  }
  memory.resident = warp.resident;
}

void Accountant::note_issue(const sm::Warp& warp, const lower::KernelImage& image, Memory& memory, Cycle now) {
  memory.issued = now;
  memory.last_op = &image.ops[memory.pc];
  memory.exited = warp.exited;
  memory.jumped = warp.next->pc != memory.pc + 1;
  memory.pc = warp.next->pc;
}

stats::Stall Accountant::cause(const sm::Sm& sm, const sm::Warp& warp, const lower::WarpOp& op, const Memory& memory,
                               Cycle now) const {
  const Cycle since = memory.issued ? now - *memory.issued : 0;
  const lower::WarpOp* last = memory.last_op;
  if (last != nullptr && last->kind == isa::OpKind::kSleep && since <= last->latency) {
    return Stall::kSleeping;
  }
  if ((warp.waits & mask_of(Stall::kBarrier)) != 0) {
    return Stall::kBarrier;
  }
  if ((warp.waits & mask_of(Stall::kMembar)) != 0) {
    return Stall::kMembar;
  }
  if ((warp.waits & mask_of(Stall::kGmma)) != 0) {
    return Stall::kGmma;
  }
  if (last != nullptr && memory.jumped && since <= resolve_latency_) {
    return Stall::kBranchResolving;
  }
  if ((warp.waits & mask_of(Stall::kNoInstruction)) != 0) {
    return Stall::kNoInstruction;
  }
  if ((warp.waits & mask_of(Stall::kImcMiss)) != 0) {
    return Stall::kImcMiss;
  }
  sm::Scoreboard::Needs needs;
  if (sm.scoreboard()) {
    needs = sm.scoreboard()->needs(warp.slot * sm.sub_cores() + warp.sub_core, memory.pc);
  }
  const auto blocked = scoreboard(warp, op, since == 1 && last->stall == 1 ? last : nullptr);
  if (needs.by_long.at > now || blocked == Stall::kLongScoreboard) {
    return Stall::kLongScoreboard;
  }
  if (needs.by_short.at > now || blocked) {
    return Stall::kShortScoreboard;
  }
  if (needs.fixed > now || (last != nullptr && since < last->stall)) {
    return Stall::kWait;
  }
  if (sm.sub_core(warp.sub_core).pipes().bubble().covers(now)) {
    return Stall::kDispatchStall;
  }
  const bool taken_now = (issued_pipes_[warp.sub_core] >> static_cast<unsigned>(op.pipe) & 1U) != 0;
  const bool open = taken_now || sm.sub_core(warp.sub_core).pipes().is_open(op.pipe, now);
  return open ? Stall::kNotSelected : throttle(op);
}

void Accountant::charge(std::uint32_t slot, std::uint32_t pc, stats::Stall state) {
  ++by_slot_[slot][static_cast<std::size_t>(state)];
  ++by_pc_[pc][static_cast<std::size_t>(state)];
}

}  // namespace gpusim::test
