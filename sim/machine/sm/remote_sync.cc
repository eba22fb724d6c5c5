// SPDX-License-Identifier: MIT
// Arrivals and bytes at the mbarriers of other CTAs of the cluster (PTX ISA: mbarrier.arrive, .expect_tx and
// .complete_tx on .shared::cluster). They go the way of the accesses to those CTAs' shared memory, a message for
// arrivals and one for bytes, take effect when they get there, and are acknowledged. One that cannot be comes back and
// is told where it began.
#include <bit>

#include "sim/machine/sm/memory_unit.h"

namespace gpusim::sm {
namespace {

using trace::AsyncAction;

/// Bytes are expected before the arrivals that may end the phase.
bool sends_bytes(const trace::AsyncOperands& operands) {
  return operands.action == AsyncAction::kComplete || operands.bytes != 0;
}
bool sends_arrivals(const trace::AsyncOperands& operands) {
  return operands.action != AsyncAction::kComplete && (operands.count != 0 || operands.bytes == 0);
}
std::uint32_t messages_of(const trace::AsyncOperands& operands) {
  return (sends_bytes(operands) ? 1U : 0U) + (sends_arrivals(operands) ? 1U : 0U);
}

}  // namespace

void MemoryUnit::shape_sync(Access& access) {
  access.origin.remote.barrier = access.async.barrier;
  WarpMemory& warp = warps_[access.origin.warp];
  warp.remote_lines += messages_of(access.async);
  warp.unacknowledged += messages_of(access.async);
}

std::uint32_t MemoryUnit::execute_remote_sync(const Access& access, Cycle now) {
  const trace::AsyncOperands& operands = access.async;
  const std::uint32_t messages = messages_of(operands);
  blocked_ = !may_ask_remotely(messages);
  if (blocked_) {
    return 1;
  }
  const auto lanes = static_cast<std::uint32_t>(std::popcount(access.origin.mask));
  msg::Message message;
  message.address = access.origin.remote.cluster;
  message.count = access.origin.remote.rank;
  message.token = pend_remotely(access, messages, false);
  message.requester = place_.index;
  message.slice = static_cast<std::uint16_t>(operands.barrier);
  if (sends_bytes(operands)) {
    const bool completes = operands.action == AsyncAction::kComplete;
    message.kind = completes ? msg::Kind::kRemoteComplete : msg::Kind::kRemoteExpect;
    msg::set_amount(message, static_cast<std::uint32_t>(operands.bytes) * lanes);
    departed_to_sms_.push_back(message);
  }
  if (sends_arrivals(operands)) {
    message.kind = operands.action == AsyncAction::kDrop ? msg::Kind::kRemoteDrop : msg::Kind::kRemoteArrive;
    msg::set_amount(message, operands.count * lanes);
    departed_to_sms_.push_back(message);
  }
  release_sources(access, now);
  complete_operation(access, now + 1);
  return 1;
}

void MemoryUnit::serve_sync(const msg::Message& message, std::uint32_t cta, Cycle start, msg::Message& answer) {
  const MbarrierUse use{static_cast<std::uint16_t>(cta), message.slice, 0};
  const std::uint32_t amount = msg::amount(message);
  const bool arrives = message.kind == msg::Kind::kRemoteArrive || message.kind == msg::Kind::kRemoteDrop;
  const MbarrierMisuse misuse = mbarriers_.misuse(use, arrives ? amount : 0);
  if (misuse != MbarrierMisuse::kNone) {
    refuse_remote(use, misuse, answer);
    return;
  }
  switch (message.kind) {
    case msg::Kind::kRemoteExpect: mbarriers_.expect(use, amount); break;
    case msg::Kind::kRemoteComplete: mbarriers_.complete(use, amount, start); break;
    case msg::Kind::kRemoteDrop: mbarriers_.drop(use, amount, start); break;
    default: mbarriers_.arrive(use, amount, start);
  }
}

/// The bytes of a store that signals an mbarrier (PTX ISA, st.async and red.async) have come.
void MemoryUnit::complete_stores(const msg::Message& message, std::uint32_t cta, Cycle at, msg::Message& answer) {
  const MbarrierUse use{static_cast<std::uint16_t>(cta), message.slice - 1U, 0};
  if (const MbarrierMisuse misuse = mbarriers_.misuse(use, 0); misuse != MbarrierMisuse::kNone) {
    refuse_remote(use, misuse, answer);
  } else {
    mbarriers_.complete(use, std::uint64_t{message.lanes} * message.write_full, at);
  }
}

/// The answer says why, and what the mbarrier lacks and expects.
void MemoryUnit::refuse_remote(const MbarrierUse& use, MbarrierMisuse misuse, msg::Message& answer) const {
  const Mbarrier& barrier = mbarriers_.of(use.cta, use.barrier);
  answer.kind = msg::Kind::kRemoteFault;
  answer.count = static_cast<std::uint16_t>(misuse);
  answer.address = barrier.pending | std::uint64_t{barrier.expected} << 32U;
}

}  // namespace gpusim::sm
