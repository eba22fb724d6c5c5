// SPDX-License-Identifier: MIT
// Lanes that arrive at an mbarrier follow one another, since all of them change one word (guess: a cycle each).
#include "sim/machine/sm/async/sync_unit.h"

#include <bit>

#include "sim/machine/sm/memory/lsu_timing.h"

namespace gpusim::sm {
namespace {

using isa::OpKind;
using trace::AsyncAction;

}  // namespace

SyncUnit::SyncUnit(const arch::SmConfig& sm, const trace::Kernel& kernel, std::uint32_t ctas, const LsuTiming& timing,
                   CopyGroups& copies, SmEvents& events)
    : is_recorded_(trace::is_recorded(kernel)),
      timing_(timing),
      copies_(copies),
      events_(events),
      waits_(sm.mbarrier.try_wait_limit, sm.limits.warps_per_sm, events),
      mbarriers_(ctas, kernel, waits_),
      registers_(ctas, sm.limits.warps_per_sm, kernel, waits_) {}

void SyncUnit::begin_warp(std::uint16_t warp) {
  waits_.begin_warp(warp);
  registers_.begin_warp(warp);
}

void SyncUnit::begin_cta(std::uint32_t cta) {
  mbarriers_.begin_cta(cta);
  registers_.begin_cta(cta);
}

std::uint32_t SyncUnit::execute(const Access& access, Cycle now) {
  release_sources(events_, *access.op, access.origin.warp, now);
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
  push_completion(events_, completion_of(*access.op, access.origin.warp), now + timing_.left_of(access.op->latency));
  const bool arrives = access.async.action == AsyncAction::kArrive || access.async.action == AsyncAction::kDrop;
  return arrives ? static_cast<std::uint32_t>(std::popcount(access.origin.mask)) : 1;
}

void SyncUnit::execute_mbarrier(const Access& access, Cycle now) {
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
    case AsyncAction::kArriveOnCopies:
      copies_.commit_signal(access.origin.warp, signals_.take({use, lanes, 0}), now);
      break;
    default: break;
  }
}

/// A poll without a source is of something unknown: it succeeds.
void SyncUnit::ask(const Access& access, Cycle now) {
  const lower::WarpOp& op = *access.op;
  Poll poll;
  poll.warp = access.origin.warp;
  poll.cta = access.origin.cta;
  poll.pc = op.pc;
  poll.parity = access.async.parity;
  poll.try_waits = op.try_waits;
  poll.until_over = is_recorded_;
  poll.counter = op.write_barrier;
  poll.producer = op.producer;
  poll.registers = op.set_registers;
  poll.answer_latency = timing_.left_of(op.latency);
  if (op.set_registers != 0) {
    poll.object = Poll::kRegisterPool;
    registers_.ask(poll, now);
  } else if (access.async.action == AsyncAction::kWait) {
    poll.object = access.async.barrier;
    mbarriers_.ask(poll, now);
  } else {
    waits_.yes(poll, now);
  }
}

void SyncUnit::signal_bytes(const MbarrierUse& use, std::uint64_t bytes, Cycle at) {
  const std::uint32_t signal = signals_.take({use, 0, bytes});
  events_.push(at, SmEvent(SignalDue{signal}));
}

void SyncUnit::signal(std::uint32_t index, Cycle now) {
  const MbarrierSignal signal = signals_.remove(index);
  if (signal.bytes != 0) {
    mbarriers_.complete(signal.use, signal.bytes, now);
  }
  if (signal.arrivals != 0) {
    mbarriers_.arrive(signal.use, signal.arrivals, now);
  }
}

}  // namespace gpusim::sm
