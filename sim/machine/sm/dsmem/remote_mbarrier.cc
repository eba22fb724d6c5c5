// SPDX-License-Identifier: MIT
// Arrivals and bytes at the mbarriers of other CTAs of the cluster (PTX ISA: mbarrier.arrive, .expect_tx and
// .complete_tx on .shared::cluster). They go the way of the accesses to those CTAs' shared memory, a message for
// arrivals and one for bytes, take effect when they get there, and are acknowledged. One that cannot be comes back and
// is told where it began.
#include <bit>

#include "sim/machine/sm/async/sync_unit.h"
#include "sim/machine/sm/dsmem/dsmem.h"
#include "sim/machine/sm/memory/write_tracker.h"

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

void Dsmem::accept_mbarrier(Access& access) {
  access.origin.dsmem.barrier = access.async.barrier;
  lines_of_warp_[access.origin.warp] += messages_of(access.async);
  wiring_.writes.add(access.origin.warp, messages_of(access.async));
}

/// It counts at the mbarrier that the access names: so many arrivals, or bytes.
msg::MbarrierRequest Dsmem::operation_of(const Access& access, std::uint32_t token, std::uint32_t amount) const {
  msg::MbarrierRequest request{ask_of(access, access.origin.dsmem.rank, token)};
  request.mbarrier = static_cast<std::uint16_t>(access.async.barrier);
  request.amount = amount & 0xffffffU;
  return request;
}

Executed Dsmem::execute_mbarrier(const Access& access, Cycle now) {
  const trace::AsyncOperands& operands = access.async;
  const std::uint32_t messages = messages_of(operands);
  if (!may_send(messages)) {
    return {1, false};
  }
  const auto lanes = static_cast<std::uint32_t>(std::popcount(access.origin.mask));
  const std::uint32_t token = take_place(access, messages, false);
  if (sends_bytes(operands)) {
    const bool completes = operands.action == AsyncAction::kComplete;
    departed_.push_back(msg::make(completes ? msg::Kind::kRemoteComplete : msg::Kind::kRemoteExpect,
                                  operation_of(access, token, static_cast<std::uint32_t>(operands.bytes) * lanes)));
  }
  if (sends_arrivals(operands)) {
    const bool drops = operands.action == AsyncAction::kDrop;
    departed_.push_back(msg::make(drops ? msg::Kind::kRemoteDrop : msg::Kind::kRemoteArrive,
                                  operation_of(access, token, operands.count * lanes)));
  }
  release_sources(wiring_.events, *access.op, access.origin.warp, now);
  push_completion(wiring_.events, completion_of(*access.op, access.origin.warp), now + 1);
  return {};
}

MbarrierMisuse Dsmem::serve_mbarrier(const msg::Message& message, const MbarrierUse& use, Cycle start) {
  const std::uint32_t amount = message.as<msg::MbarrierRequest>().amount;
  const bool arrives = message.kind() == msg::Kind::kRemoteArrive || message.kind() == msg::Kind::kRemoteDrop;
  const MbarrierMisuse misuse = wiring_.sync.mbarriers().misuse(use, arrives ? amount : 0);
  if (misuse != MbarrierMisuse::kNone) {
    return misuse;
  }
  switch (message.kind()) {
    case msg::Kind::kRemoteExpect: wiring_.sync.mbarriers().expect(use, amount); break;
    case msg::Kind::kRemoteComplete: wiring_.sync.mbarriers().complete(use, amount, start); break;
    case msg::Kind::kRemoteDrop: wiring_.sync.mbarriers().drop(use, amount, start); break;
    default: wiring_.sync.mbarriers().arrive(use, amount, start);
  }
  return MbarrierMisuse::kNone;
}

/// The bytes of a store that signals an mbarrier (PTX ISA, st.async and red.async) have come.
MbarrierMisuse Dsmem::complete_stores(std::uint32_t bytes, const MbarrierUse& use, Cycle at) {
  const MbarrierMisuse misuse = wiring_.sync.mbarriers().misuse(use, 0);
  if (misuse == MbarrierMisuse::kNone) {
    wiring_.sync.mbarriers().complete(use, bytes, at);
  }
  return misuse;
}

/// The answer says why, and what the mbarrier lacks and expects.
msg::Message Dsmem::refusal(const msg::Message& request, const MbarrierUse& use, MbarrierMisuse misuse) const {
  const auto& ask = request.as<msg::DsmemAsk>();
  const bool is_operation = msg::is_mbarrier_operation(request.kind());
  const Mbarrier& barrier = wiring_.sync.mbarriers().of(use.cta, use.barrier);
  msg::MbarrierRefusal answer{{ask.token, ask.requester, sm_index_}};
  answer.misuse = static_cast<std::uint8_t>(misuse);
  answer.amount =
      is_operation ? request.as<msg::MbarrierRequest>().amount : request.as<msg::DsmemAccess>().signalled_bytes;
  answer.pending = barrier.pending;
  answer.expected = barrier.expected;
  return msg::make(msg::Kind::kMbarrierRefusal, answer);
}

}  // namespace gpusim::sm
