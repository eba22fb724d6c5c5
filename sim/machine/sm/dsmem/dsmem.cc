// SPDX-License-Identifier: MIT
#include "sim/machine/sm/dsmem/dsmem.h"

#include <algorithm>
#include <bit>
#include <cassert>

#include "sim/base/address_space.h"
#include "sim/machine/sm/async/sync_unit.h"
#include "sim/machine/sm/memory/lsu_timing.h"
#include "sim/machine/sm/memory/shared_memory.h"
#include "sim/machine/sm/memory/write_tracker.h"
#include "sim/model/trace/recorded_command.h"
#include "sim/model/trace/walker.h"

namespace gpusim::sm {
namespace {

using isa::OpKind;

msg::Kind dsmem_kind(OpKind kind) {
  switch (kind) {
    case OpKind::kStore: return msg::Kind::kDsmemWrite;
    case OpKind::kAtomic: return msg::Kind::kDsmemAtomic;
    case OpKind::kReduction: return msg::Kind::kDsmemReduction;
    default: return msg::Kind::kDsmemRead;
  }
}

bool has_value(msg::Kind kind) {
  return msg::answer_to(kind) == msg::Kind::kDsmemReply;
}

/// Data that a message brings.
std::uint64_t data_bytes(const msg::Message& message) {
  return msg::wire_bytes(message, 0);
}

}  // namespace

void Dsmem::coalesce(Access& access, const LaneSource& lanes, const AccessWidth& width) {
  access.async = lanes.walker.async_operands();
  access.origin.dsmem.barrier = access.async.barrier;
  const trace::LaneAddresses addresses = lanes.walker.addresses(trace::AccessSlot::kPrimary);
  const std::uint16_t warp = access.origin.warp;
  if (access.origin.dsmem.is_own) {
    access.shared = lanes.bank_conflicts.passes_of(addresses, access.origin.mask, width);
    return;
  }
  lanes.coalescer.coalesce(addresses, access.origin.mask, width, stage_, access.global);
  if (access.signals()) {
    return;
  }
  lines_of_warp_[warp] += access.global.line_count;
  if (!has_value(dsmem_kind(access.op->kind))) {
    wiring_.writes.add(warp, access.global.line_count);
  }
}

Executed Dsmem::execute(const Access& access, Cycle now) {
  if (access.origin.dsmem.is_own) {
    return {std::max(wiring_.timing.lane_groups(), execute_own(access, now))};
  }
  if (!may_send(access.global.line_count)) {
    return {1, false};
  }
  send(access, now);
  return {std::max(wiring_.timing.lane_groups(), access.global.wavefronts)};
}

/// By way of the cluster to the CTA's own shared memory: the banks are those next door, the way is that of L1 (33
/// cycles measured on H800, as for a hit).
std::uint32_t Dsmem::execute_own(const Access& access, Cycle now) {
  const lower::WarpOp& op = *access.op;
  const std::uint32_t wavefronts = access.shared.wavefronts;
  const bool writes = !has_value(dsmem_kind(op.kind));
  wiring_.shared.count(access.shared, writes ? SharedMemory::Moves::kWrites : SharedMemory::Moves::kReads);
  if (access.signals()) {
    wiring_.sync.mbarriers().complete({access.origin.cta, access.async.barrier, op.pc},
                                      std::uint64_t{op.bytes_per_lane} * std::popcount(access.origin.mask),
                                      now + wavefronts);
  }
  const std::uint32_t extra = extra_cycles(op.bytes_per_lane);
  const Cycle sources_read = writes ? now + 1 + extra : now;
  release_sources(wiring_.events, op, access.origin.warp, sources_read);
  push_completion(
      wiring_.events, completion_of(op, access.origin.warp),
      writes ? std::max(sources_read, now + wavefronts) : now + wiring_.timing.through_l1() + (wavefronts - 1) + extra);
  return wavefronts;
}

/// A place for the answers. Returns the token of the messages.
std::uint32_t Dsmem::take_place(const Access& access, std::uint32_t messages, bool waits) {
  Outstanding outstanding;
  outstanding.completion = completion_of(*access.op, access.origin.warp);
  outstanding.target = access.origin.dsmem;
  outstanding.lines = messages;
  outstanding.extra_latency = extra_cycles(access.op->bytes_per_lane);
  outstanding.write_token = wiring_.writes.token_of(access.origin.warp);
  outstanding.waits = waits;
  outstanding.is_async = access.signals();
  in_flight_ += messages;
  ++counters_.requests;
  return outstanding_.take(outstanding);
}

void Dsmem::send(const Access& access, Cycle now) {
  const lower::WarpOp& op = *access.op;
  const std::uint32_t lines = access.global.line_count;
  const bool waits = has_value(dsmem_kind(op.kind));
  const std::uint32_t token = take_place(access, lines, waits);
  for (std::uint32_t i = 0; i < lines; ++i) {
    send_line(access, access.global.lines[i], token);
  }
  if (waits) {
    release_sources(wiring_.events, op, access.origin.warp, now);
  } else {
    // As of a store to global memory: the data leaves the registers at 64 bytes a cycle, and then the SM.
    const Cycle left = now + 3 + extra_cycles(op.bytes_per_lane);
    release_sources(wiring_.events, op, access.origin.warp, left);
    push_completion(wiring_.events, completion_of(op, access.origin.warp), left);
  }
}

msg::DsmemAsk Dsmem::ask_of(const Access& access, std::uint64_t rank, std::uint32_t token) const {
  msg::DsmemAsk ask;
  ask.cluster = access.origin.dsmem.cluster;
  ask.token = token;
  ask.requester = sm_index_;
  ask.rank = static_cast<std::uint8_t>(rank);
  return ask;
}

void Dsmem::send_line(const Access& access, const LineAccess& line, std::uint32_t token) {
  const lower::WarpOp& op = *access.op;
  const DsmemTarget& target = access.origin.dsmem;
  const Address behind = target.names_several ? static_cast<Address>(line.line) >> kRankBit : 0;
  msg::DsmemAccess request{ask_of(access, target.rank + behind, token)};
  if (access.signals()) {
    request.mbarrier = static_cast<std::uint16_t>(access.async.barrier);
    request.signalled_bytes = (std::uint32_t{line.lanes} * op.bytes_per_lane) & 0xffffffU;
  }
  const msg::Message message = msg::make(dsmem_kind(op.kind), request, line.sectors);
  departed_.push_back(message);
  const std::uint32_t sectors = msg::sector_count(line.sectors);
  counters_.read_sectors += message.kind() == msg::Kind::kDsmemRead ? sectors : 0;
  counters_.write_sectors += message.kind() == msg::Kind::kDsmemWrite ? sectors : 0;
  counters_.atomic_sectors += op.kind == OpKind::kAtomic || op.kind == OpKind::kReduction ? sectors : 0;
  counters_.sent_bytes += data_bytes(message);
}

/// The bytes of each line are signalled when it has come; the mbarrier's phase ends with the last.
void Dsmem::send_moved(const MovedLine& line) {
  Outstanding outstanding;
  outstanding.target = line.target;
  outstanding.lines = 1;
  outstanding.command = line.command;
  msg::DsmemAccess request;
  request.cluster = line.target.cluster;
  request.token = outstanding_.take(outstanding);
  request.requester = sm_index_;
  request.rank = static_cast<std::uint8_t>(line.target.rank);
  request.mbarrier = static_cast<std::uint16_t>(line.target.barrier);
  request.signalled_bytes = line.bytes & 0xffffffU;
  const msg::Kind kind = line.adds ? msg::Kind::kDsmemReduction : msg::Kind::kDsmemWrite;
  msg::Message message = msg::make(kind, request, line.sectors);
  message.time = line.leaves;
  departed_.push_back(message);
  ++moves_in_flight_;
  counters_.requests += line.is_first ? 1 : 0;
  (line.adds ? counters_.atomic_sectors : counters_.write_sectors) += msg::sector_count(line.sectors);
  counters_.sent_bytes += data_bytes(message);
}

/// It takes the banks before the accesses that wait in this SM's own queues.
msg::Message Dsmem::serve(const msg::Message& message, std::uint32_t cta, Cycle now) {
  const auto& ask = message.as<msg::DsmemAsk>();
  const MbarrierUse use{static_cast<std::uint16_t>(cta), ask.mbarrier, 0};
  const Cycle through = wiring_.shared.take_pass(now);
  msg::Message answer = msg::make(msg::answer_to(message.kind()),
                                  msg::DsmemAnswer{{ask.token, ask.requester, sm_index_}, ask.rank}, message.sectors);
  MbarrierMisuse misuse = MbarrierMisuse::kNone;
  if (msg::is_mbarrier_operation(message.kind())) {
    misuse = serve_mbarrier(message, use, through - 1);
  } else {
    counters_.served_sectors += msg::sector_count(message.sectors);
    counters_.received_bytes += data_bytes(message);
    counters_.sent_bytes += data_bytes(answer);
    const std::uint32_t signalled = message.as<msg::DsmemAccess>().signalled_bytes;
    misuse = ask.mbarrier != msg::kNoMbarrier ? complete_stores(signalled, use, through) : misuse;
  }
  if (misuse != MbarrierMisuse::kNone) {
    answer = refusal(message, use, misuse);
  }
  answer.time = through - 1 + wiring_.timing.through_l1();
  return answer;
}

std::optional<std::uint32_t> Dsmem::handle(const msg::Message& message, Cycle now) {
  counters_.received_bytes += data_bytes(message);
  const std::uint32_t token = message.as<msg::DsmemReply>().token;
  Outstanding& outstanding = outstanding_[token];
  if (const std::optional<std::uint32_t> command = outstanding.command) {
    --moves_in_flight_;
    outstanding_.release(token);
    return command;
  }
  assert(outstanding.lines > 0 && in_flight_ > 0);
  --in_flight_;
  if (!outstanding.is_async && wiring_.writes.is_there(outstanding.write_token)) {
    --lines_of_warp_[outstanding.completion.warp];
  }
  if (!outstanding.waits && !outstanding.is_async) {
    wiring_.writes.acknowledge(outstanding.write_token, now);
  }
  if (--outstanding.lines == 0) {
    if (outstanding.waits) {
      push_completion(wiring_.events, outstanding.completion, now + outstanding.extra_latency);
    }
    outstanding_.release(token);
  }
  return std::nullopt;
}

}  // namespace gpusim::sm
