// SPDX-License-Identifier: MIT
#include "sim/machine/sm/executor.h"

#include "sim/machine/lower/kernel_image.h"
#include "sim/machine/sm/clusters.h"
#include "sim/machine/sm/memory_unit.h"
#include "sim/machine/sm/per_worker.h"
#include "sim/machine/sm/polls.h"
#include "sim/machine/sm/warps/dependences.h"
#include "sim/machine/sm/warps/named_barriers.h"
#include "sim/machine/sm/warps/sub_cores.h"
#include "sim/machine/sm/warps/warp_table.h"
#include "sim/machine/sm/wgmma/wgmma_unit.h"
#include "sim/model/trace/kernel.h"
#include "sim/model/trace/walker.h"

namespace gpusim::sm {
namespace {

using isa::OpKind;

/// Cycles from issue until a variable-latency instruction other than a memory access has read its registers: control,
/// allocate, and the three-cycle read window (Huerta et al., MICRO 2025).
constexpr Cycle kOperandReadCycles = 5;

}  // namespace

void Executor::begin(SubCore& core, Warp& warp, Cycle now) {
  const lower::WarpOp& op = *warp.op;
  switch (op.kind) {
    case OpKind::kBarrier:
    case OpKind::kClusterArrive:
    case OpKind::kClusterWait:
    case OpKind::kFence: break;
    case OpKind::kWgmma: units_.wgmma.issue(warp, now); break;
    case OpKind::kSleep:
      if (warp.next->mask != 0) {
        warp.stalls.note_end(Stall::kSleeping, now + 1 + op.latency);
      }
      break;
    default:
      if (op.pipe == isa::Pipe::kLsu) {
        execute_memory(core, warp, now);
      } else {
        execute_variable(core, warp, now);
      }
  }
}

void Executor::end(Warp& warp, const lower::WarpOp& op, Cycle now) {
  switch (op.kind) {
    case OpKind::kBarrier: {
      const isa::Instr& instr = image_.kernel->code[op.pc];
      if (instr.barrier_waits) {
        units_.cores.block(warp, mask_of(Stall::kBarrier));
      }
      units_.barriers.arrive(warp.cta_slot, units_.warps.slot_of(warp), instr, now);
      break;
    }
    case OpKind::kClusterArrive: units_.clusters.arrive(warp, op.pc, now); break;
    case OpKind::kClusterWait: units_.clusters.wait(warp, op.pc); break;
    case OpKind::kFence:
      units_.cores.block(warp, mask_of(Stall::kMembar));
      units_.memory.writes().fence(units_.warps.slot_of(warp), op.latency, op.leaves_sm, now);
      break;
    default: break;
  }
}

/// An instruction of a sub-core's own pipe. Only variable-latency ones have counters.
void Executor::execute_variable(SubCore& core, Warp& warp, Cycle now) {
  const lower::WarpOp& op = *warp.op;
  const std::uint16_t slot = units_.warps.slot_of(warp);
  take_pipe(core, warp, now);
  if (op.read_barrier != isa::kNoBarrier) {
    Dependences::increment(warp, op.read_barrier, op.producer);
    const Cycle read = now + kOperandReadCycles + core.registers().read_delay(op.ports, now);
    const OperationEnd end{op.pc, op.read_barrier, op.producer};
    units_.events.push(read, SmEvent(SmEventKind::kCounterRelease, slot, end));
    ++warp.in_flight.edit();
  }
  if (op.write_barrier != isa::kNoBarrier) {
    Dependences::increment(warp, op.write_barrier, op.producer);
    const OperationEnd end{op.pc, op.write_barrier, op.producer, op.ports.variable_writes};
    units_.events.push(after_issue(now, op.latency), SmEvent(SmEventKind::kCounterRelease, slot, end));
    ++warp.in_flight.edit();
  }
}

/// The instruction as the memory that its addresses lead to has it.
const lower::WarpOp& Executor::form_of_access(Warp& warp) const {
  const bool is_known = warp.op->generic_forms == 0 || warp.next->mask == 0;
  return is_known ? *warp.op : image_.form_in(warp.walker->generic_space(), *warp.op);
}

void Executor::execute_memory(SubCore& core, Warp& warp, Cycle now) {
  const lower::WarpOp& op = form_of_access(warp);
  if (op.read_barrier != isa::kNoBarrier) {
    Dependences::increment(warp, op.read_barrier, op.producer);
  }
  if (op.write_barrier != isa::kNoBarrier) {
    Dependences::increment(warp, op.write_barrier, op.producer);
  }
  warp.in_flight.edit() += MemoryUnit::operations(op);
  if (op.kind == OpKind::kPoll && warp.next->mask != 0) {
    Polls::ask(warp, op.predicate);
  }
  Origin origin{units_.warps.slot_of(warp),
                static_cast<std::uint16_t>(warp.sub_core),
                warp.next->mask,
                static_cast<std::uint16_t>(warp.cta_slot),
                {}};
  if (op.of_cluster && warp.next->mask != 0) {
    origin.dsmem = units_.clusters.target_of(warp);
  }
  const LaneSource lanes{*warp.walker.get(), worker_->coalescer, worker_->bank_conflicts};
  units_.memory.accept(op, origin, lanes, worker_->profile[op.pc], now);
  if (units_.memory.is_full(warp.sub_core)) {
    core.pipes().close(isa::Pipe::kLsu, now + 1);
  }
}

}  // namespace gpusim::sm
