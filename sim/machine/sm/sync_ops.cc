// SPDX-License-Identifier: MIT
// Operations on mbarriers, and the reallocation of registers, as the shared unit executes them. Lanes that arrive
// follow one another, since all of them change one word (guess: a cycle each).
#include <bit>

#include "sim/machine/sm/memory_unit.h"

namespace gpusim::sm {
namespace {

using isa::OpKind;
using trace::AsyncAction;

}  // namespace

std::uint32_t MemoryUnit::execute_sync(const Access& access, Cycle now) {
  if (access.is_remote_sync()) {
    return execute_remote_sync(access, now);
  }
  release_sources(access, now);
  if (access.op->kind == OpKind::kPoll) {
    ask(access, now);
    return 1;
  }
  if (access.op->kind == OpKind::kRegisterPool) {
    if (access.op->set_registers != 0) {
      registers_.give_back(access.origin.cta, access.origin.warp, access.op->set_registers, access.op->pc, now);
    }
  } else {
    execute_mbarrier(access, now);
  }
  complete_operation(access, now + left_of(access.op->latency));
  const bool arrives = access.async.action == AsyncAction::kArrive || access.async.action == AsyncAction::kDrop;
  return arrives ? static_cast<std::uint32_t>(std::popcount(access.origin.mask)) : 1;
}

void MemoryUnit::execute_mbarrier(const Access& access, Cycle now) {
  const trace::AsyncOperands& operands = access.async;
  const auto lanes = static_cast<std::uint32_t>(std::popcount(access.origin.mask));
  const MbarrierUse use{access.origin.cta, operands.barrier, access.op->pc};
  switch (operands.action) {
    case AsyncAction::kInitialise: mbarriers_.initialise(use, operands.count); break;
    case AsyncAction::kInvalidate: mbarriers_.invalidate(use); break;
    case AsyncAction::kArrive:
      mbarriers_.expect(use, operands.bytes * lanes);
      mbarriers_.arrive(use, operands.count * lanes, now);
      break;
    case AsyncAction::kDrop:
      mbarriers_.expect(use, operands.bytes * lanes);
      mbarriers_.drop(use, operands.count * lanes, now);
      break;
    case AsyncAction::kComplete: mbarriers_.complete(use, operands.bytes * lanes, now); break;
    case AsyncAction::kArriveOnCopies: {
      AsyncGroups& copies = warps_[access.origin.warp].async;
      close_group(copies).signal = signals_.take({use, lanes, 0});
      retire_groups(copies, now + 1);
      break;
    }
    default: break;
  }
}

/// A poll without a source is of something unknown: it succeeds.
void MemoryUnit::ask(const Access& access, Cycle now) {
  const lower::WarpOp& op = *access.op;
  Poll poll;
  poll.warp = access.origin.warp;
  poll.cta = access.origin.cta;
  poll.pc = op.pc;
  poll.parity = access.async.parity;
  poll.try_waits = op.try_waits;
  poll.counter = op.write_barrier;
  poll.producer = op.producer;
  poll.registers = op.set_registers;
  poll.answer_latency = left_of(op.latency);
  if (op.set_registers != 0) {
    poll.object = Poll::kRegisterPool;
    registers_.ask(poll, now);
  } else if (access.async.action == AsyncAction::kWait) {
    poll.object = access.async.barrier;
    mbarriers_.ask(poll, now);
  } else {
    polls_.yes(poll, now);
  }
}

/// A kMbarrierSignal event.
void MemoryUnit::signal(std::uint32_t index, Cycle now) {
  const MbarrierSignal signal = signals_.remove(index);
  if (signal.bytes != 0) {
    mbarriers_.complete(signal.use, signal.bytes, now);
  }
  if (signal.arrivals != 0) {
    mbarriers_.arrive(signal.use, signal.arrivals, now);
  }
}

}  // namespace gpusim::sm
