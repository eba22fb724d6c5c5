// SPDX-License-Identifier: MIT
// Distributed shared memory: accesses to the shared memory of other CTAs of the cluster. A warp's access becomes a
// message for each line of 128 bytes, which is one pass through the banks of the SM that it goes to. Each has a place
// here for its answer, so nothing on the way can be refused.
#include <algorithm>
#include <bit>
#include <cassert>

#include "sim/machine/sm/memory_unit.h"

namespace gpusim::sm {
namespace {

using isa::OpKind;

msg::Kind remote_kind(OpKind kind) {
  switch (kind) {
    case OpKind::kStore: return msg::Kind::kRemoteWrite;
    case OpKind::kAtomic: return msg::Kind::kRemoteAtomic;
    case OpKind::kReduction: return msg::Kind::kRemoteReduction;
    default: return msg::Kind::kRemoteRead;
  }
}

bool has_value(msg::Kind kind) {
  return kind == msg::Kind::kRemoteRead || kind == msg::Kind::kRemoteAtomic;
}

/// Data that a message brings.
std::uint64_t data_bytes(const msg::Message& message) {
  return msg::wire_bytes(message, 0);
}

}  // namespace

void MemoryUnit::shape_remote(Access& access, const LaneSource& lanes, const AccessWidth& width) {
  access.async = lanes.walker.async_operands();
  access.origin.remote.barrier = access.async.barrier;
  const trace::LaneAddresses addresses = lanes.walker.addresses(trace::AccessSlot::kPrimary);
  if (access.origin.remote.is_own) {
    access.shared = lanes.shapes.shared(addresses, access.origin.mask, width);
    return;
  }
  lanes.shapes.global(addresses, access.origin.mask, width, stage_, access.global);
  if (access.signals()) {
    return;
  }
  warps_[access.origin.warp].remote_lines += access.global.line_count;
  if (!has_value(remote_kind(access.op->kind))) {
    warps_[access.origin.warp].unacknowledged += access.global.line_count;
  }
}

std::uint32_t MemoryUnit::execute_remote(const Access& access, Cycle now) {
  if (access.origin.remote.is_own) {
    return execute_own(access, now);
  }
  blocked_ = !may_ask_remotely(access.global.line_count);
  if (!blocked_) {
    ask_remotely(access, now);
  }
  return access.global.wavefronts;
}

/// As many messages may be under way as L1 may miss lines; an access of more goes alone.
bool MemoryUnit::may_ask_remotely(std::uint32_t messages) const {
  return remote_in_flight_ == 0 || remote_in_flight_ + messages <= l1_config_.mshrs;
}

/// By way of the cluster to the CTA's own shared memory: the banks are those next door, the way is that of L1 (33
/// cycles measured on H800, as for a hit).
std::uint32_t MemoryUnit::execute_own(const Access& access, Cycle now) {
  const std::uint32_t wavefronts = access.shared.wavefronts;
  const bool writes = !has_value(remote_kind(access.op->kind));
  ++shared_counters_.shared_requests;
  shared_counters_.shared_wavefronts += wavefronts;
  shared_counters_.shared_ideal_wavefronts += access.shared.ideal_wavefronts;
  (writes ? shared_counters_.shared_write_bytes : shared_counters_.shared_read_bytes) += access.shared.bytes;
  if (access.signals()) {
    mbarriers_.complete({access.origin.cta, access.async.barrier, access.op->pc},
                        std::uint64_t{access.op->bytes_per_lane} * std::popcount(access.origin.mask), now + wavefronts);
  }
  const std::uint32_t extra = extra_cycles(access.op->bytes_per_lane);
  const Cycle sources_read = writes ? now + 1 + extra : now;
  release_sources(access, sources_read);
  complete_operation(access, writes ? std::max(sources_read, now + wavefronts)
                                    : now + (l1_config_.hit_latency - lsu_.address_latency) + (wavefronts - 1) + extra);
  return wavefronts;
}

/// Takes a place for the answers. Returns the token of the messages.
std::uint32_t MemoryUnit::pend_remotely(const Access& access, std::uint32_t messages, bool waits) {
  RemotePending pending;
  pending.completion = completion_of(access);
  pending.target = access.origin.remote;
  pending.lines = messages;
  pending.extra_latency = extra_cycles(access.op->bytes_per_lane);
  pending.write_token = write_token(access.origin.warp);
  pending.waits = waits;
  pending.is_async = access.signals();
  remote_in_flight_ += messages;
  ++dsmem_counters_.requests;
  return remote_pendings_.take(pending);
}

void MemoryUnit::ask_remotely(const Access& access, Cycle now) {
  const lower::WarpOp& op = *access.op;
  const std::uint32_t lines = access.global.line_count;
  const msg::Kind kind = remote_kind(op.kind);
  const std::uint32_t token = pend_remotely(access, lines, has_value(kind));
  for (std::uint32_t i = 0; i < lines; ++i) {
    const LineAccess& line = access.global.lines[i];
    msg::Message message;
    message.kind = kind;
    message.address = access.origin.remote.cluster;
    message.count = access.origin.remote.rank;
    message.token = token;
    message.requester = place_.index;
    message.sectors = line.sectors;
    message.lanes = line.lanes;
    if (access.signals()) {
      message.slice = static_cast<std::uint16_t>(1 + access.async.barrier);
      message.write_full = op.bytes_per_lane;
    }
    departed_to_sms_.push_back(message);
    const std::uint32_t sectors = msg::sector_count(line.sectors);
    dsmem_counters_.read_sectors += kind == msg::Kind::kRemoteRead ? sectors : 0;
    dsmem_counters_.write_sectors += kind == msg::Kind::kRemoteWrite ? sectors : 0;
    dsmem_counters_.atomic_sectors += op.kind == OpKind::kAtomic || op.kind == OpKind::kReduction ? sectors : 0;
    dsmem_counters_.sent_bytes += data_bytes(message);
  }
  if (has_value(kind)) {
    release_sources(access, now);
  } else {
    // As of a store to global memory: the data leaves the registers at 64 bytes a cycle, and then the SM.
    const Cycle left = now + 3 + extra_cycles(op.bytes_per_lane);
    release_sources(access, left);
    complete_operation(access, left);
  }
}

/// It takes the banks before the accesses that wait in this SM's own queues.
msg::Message MemoryUnit::serve_remote(const msg::Message& message, std::uint32_t cta, Cycle now) {
  const Cycle through = take_banks(now);
  msg::Message answer = message;
  answer.kind = has_value(message.kind) ? msg::Kind::kRemoteReply : msg::Kind::kRemoteAck;
  answer.slice = place_.index;
  answer.time = through - 1 + (l1_config_.hit_latency - lsu_.address_latency);
  if (msg::signals_remotely(message.kind)) {
    serve_sync(message, cta, through - 1, answer);
    return answer;
  }
  dsmem_counters_.served_sectors += msg::sector_count(message.sectors);
  dsmem_counters_.received_bytes += data_bytes(message);
  dsmem_counters_.sent_bytes += data_bytes(answer);
  const bool writes = !has_value(message.kind);
  if (writes && message.slice != 0) {
    complete_stores(message, cta, through, answer);
  }
  return answer;
}

std::uint32_t MemoryUnit::handle_remote(const msg::Message& message, Cycle now) {
  dsmem_counters_.received_bytes += data_bytes(message);
  RemotePending& pending = remote_pendings_[message.token];
  assert(pending.lines > 0 && remote_in_flight_ > 0);
  --remote_in_flight_;
  if (WarpMemory& asker = warps_[pending.completion.warp];
      !pending.is_async && pending.write_token == write_token(pending.completion.warp)) {
    --asker.remote_lines;
  }
  if (!pending.waits && !pending.is_async) {
    acknowledge(pending.write_token, now);
  }
  if (--pending.lines == 0) {
    if (pending.waits) {
      push_completion(pending.completion, now + pending.extra_latency);
    }
    remote_pendings_.release(message.token);
  }
  return blocked_ ? serve(now) : 0;
}

}  // namespace gpusim::sm
