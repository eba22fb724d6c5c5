// SPDX-License-Identifier: MIT
// Arrivals and bytes at the mbarriers of other CTAs of the cluster (PTX ISA: mbarrier.arrive, .expect_tx and
// .complete_tx on .shared::cluster). They go the way of the accesses to those CTAs' shared memory, a message for
// arrivals and one for bytes, take effect when they get there, and are acknowledged. One that cannot be comes back and
// is told where it began.
#include <bit>

#include "sim/machine/sm/dsmem/dsmem.h"

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

void Dsmem::accept_sync(Access& access) {
  access.origin.remote.barrier = access.async.barrier;
  lines_of_warp_[access.origin.warp] += messages_of(access.async);
  wiring_.writes.add(access.origin.warp, messages_of(access.async));
}

Executed Dsmem::execute_sync(const Access& access, Cycle now) {
  const trace::AsyncOperands& operands = access.async;
  const std::uint32_t messages = messages_of(operands);
  if (!may_send(messages)) {
    return {1, false};
  }
  const auto lanes = static_cast<std::uint32_t>(std::popcount(access.origin.mask));
  msg::Message message;
  message.address = access.origin.remote.cluster;
  message.count = access.origin.remote.rank;
  message.token = take_place(access, messages, false);
  message.requester = sm_index_;
  message.slice = static_cast<std::uint16_t>(operands.barrier);
  if (sends_bytes(operands)) {
    const bool completes = operands.action == AsyncAction::kComplete;
    message.kind = completes ? msg::Kind::kRemoteComplete : msg::Kind::kRemoteExpect;
    msg::set_amount(message, static_cast<std::uint32_t>(operands.bytes) * lanes);
    departed_.push_back(message);
  }
  if (sends_arrivals(operands)) {
    message.kind = operands.action == AsyncAction::kDrop ? msg::Kind::kRemoteDrop : msg::Kind::kRemoteArrive;
    msg::set_amount(message, operands.count * lanes);
    departed_.push_back(message);
  }
  release_sources(wiring_.events, *access.op, access.origin.warp, now);
  push_completion(wiring_.events, completion_of(*access.op, access.origin.warp), now + 1);
  return {};
}

void Dsmem::serve_sync(const msg::Message& message, std::uint32_t cta, Cycle start, msg::Message& answer) {
  const MbarrierUse use{static_cast<std::uint16_t>(cta), message.slice, 0};
  const std::uint32_t amount = msg::amount(message);
  const bool arrives = message.kind == msg::Kind::kRemoteArrive || message.kind == msg::Kind::kRemoteDrop;
  const MbarrierMisuse misuse = wiring_.sync.mbarriers().misuse(use, arrives ? amount : 0);
  if (misuse != MbarrierMisuse::kNone) {
    refuse(use, misuse, answer);
    return;
  }
  switch (message.kind) {
    case msg::Kind::kRemoteExpect: wiring_.sync.mbarriers().expect(use, amount); break;
    case msg::Kind::kRemoteComplete: wiring_.sync.mbarriers().complete(use, amount, start); break;
    case msg::Kind::kRemoteDrop: wiring_.sync.mbarriers().drop(use, amount, start); break;
    default: wiring_.sync.mbarriers().arrive(use, amount, start);
  }
}

/// The bytes of a store that signals an mbarrier (PTX ISA, st.async and red.async) have come.
void Dsmem::complete_stores(const msg::Message& message, std::uint32_t cta, Cycle at, msg::Message& answer) {
  const MbarrierUse use{static_cast<std::uint16_t>(cta), message.slice - 1U, 0};
  if (const MbarrierMisuse misuse = wiring_.sync.mbarriers().misuse(use, 0); misuse != MbarrierMisuse::kNone) {
    refuse(use, misuse, answer);
  } else {
    wiring_.sync.mbarriers().complete(use, std::uint64_t{message.lanes} * message.write_full, at);
  }
}

/// The answer says why, and what the mbarrier lacks and expects.
void Dsmem::refuse(const MbarrierUse& use, MbarrierMisuse misuse, msg::Message& answer) const {
  const Mbarrier& barrier = wiring_.sync.mbarriers().of(use.cta, use.barrier);
  answer.kind = msg::Kind::kRemoteFault;
  answer.count = static_cast<std::uint16_t>(misuse);
  answer.address = barrier.pending | std::uint64_t{barrier.expected} << 32U;
}

}  // namespace gpusim::sm
