// SPDX-License-Identifier: MIT
// What comes back from L2, and what goes out to it.
#include <algorithm>
#include <bit>
#include <cassert>

#include "sim/machine/sm/memory_unit.h"

namespace gpusim::sm {
namespace {

constexpr std::size_t kUsualAccessBytes = 4 * kHostLineBytes;  ///< an Access of few lines

bool fills_line(const msg::Message& message) {
  return message.kind == msg::Kind::kReadReply && message.token < kTmaToken;
}

}  // namespace

std::uint32_t MemoryUnit::handle(const msg::Message& message, Cycle now) {
  switch (message.kind) {
    case msg::Kind::kReadReply: fill(message, now); break;
    case msg::Kind::kWriteAck: acknowledge(message.token, now); break;
    case msg::Kind::kCredit:
      port_.add_credits(message.count);
      pump(now);
      break;
    default: assert(false && "not a message for the memory unit");
  }
  return blocked_ ? serve(now) : 0;
}

void MemoryUnit::prefetch(std::span<const msg::Message> messages) const {
  for (const msg::Message& message : messages) {
    if (fills_line(message)) {
      mshrs_.prefetch_entry(message.token);
      mshrs_.prefetch(message.address / kLineBytes);
    }
  }
  accesses_.prefetch_next(kUsualAccessBytes);
  for (const msg::Message& message : messages) {
    if (fills_line(message)) {
      gpusim::prefetch(&pendings_[mshrs_.oldest(message.token).pending], sizeof(Pending));
      if (mshr_keeps_[message.token] != Keep::kNot) {
        tags_.prefetch_set(message.address / kLineBytes);
      }
    }
  }
}

/// As above, what an access that begins now will look up when it gets to the unit.
void MemoryUnit::prefetch(const Access& access) const {
  const lower::WarpOp& op = *access.op;
  const bool looks_up = !op.bypass_l1 && (op.kind == isa::OpKind::kLoad || op.kind == isa::OpKind::kAsyncCopy);
  for (std::uint32_t i = 0; i < access.global.line_count && looks_up; ++i) {
    const mem::cache::LineNumber line = static_cast<Address>(access.global.lines[i].line) / kLineBytes;
    tags_.prefetch(line);
    mshrs_.prefetch(line);
  }
}

std::uint16_t MemoryUnit::warp_of(const msg::Message& reply) const {
  if (reply.token >= kTmaToken && reply.token < kPendingToken) {
    return tma_[reply.token - kTmaToken].warp;
  }
  const bool is_atomic = reply.token >= kPendingToken;
  return pendings_[is_atomic ? reply.token - kPendingToken : mshrs_.oldest(reply.token).pending].completion.warp;
}

void MemoryUnit::fill(const msg::Message& reply, Cycle now) {
  l1_counters_.reply_sectors += static_cast<std::uint32_t>(std::popcount(reply.sectors));
  if (reply.token >= kPendingToken) {
    --atomics_in_flight_;
    line_arrived(reply.token - kPendingToken, now);
    return;
  }
  if (reply.token >= kTmaToken) {
    bulk_line_arrived(reply.token - kTmaToken, now);
    return;
  }
  const mem::cache::LineNumber line = reply.address / kLineBytes;
  if (const Keep keep = mshr_keeps_[reply.token]; keep != Keep::kNot) {
    if (const mem::cache::LineState left = tags_.fill(line, reply.sectors); left.dirty != 0) {
      write_back(left);
      pump(now);
    }
    if (keep != Keep::kNormal) {
      tags_.set_eviction(line, keep == Keep::kFirst ? Eviction::kFirst : Eviction::kLast);
    }
  }
  mshrs_.complete(reply.token, reply.sectors, [this, now](const Waiter& waiter) { line_arrived(waiter.pending, now); });
}

void MemoryUnit::line_arrived(std::uint32_t index, Cycle now) {
  Pending& pending = pendings_[index];
  assert(pending.lines > 0);
  --pending.lines;
  if (pending.lines == 0 && pending.all_asked) {
    complete_pending(index, now);
  }
}

void MemoryUnit::complete_pending(std::uint32_t index, Cycle now) {
  const Pending pending = pendings_[index];
  pendings_[index] = {};
  pendings_[index].next_free = free_pending_;
  free_pending_ = index;
  const Cycle arrived = now + (l1_config_.hit_latency - lsu_.address_latency) + pending.extra_latency;
  if (!pending.to_shared) {
    push_completion(pending.completion, arrived);
    return;
  }
  // The copy takes the shared-memory banks for its wavefronts when the data comes.
  lsu_free_ = std::max(lsu_free_, now) + pending.bank_cycles;
  push_completion(pending.completion, arrived);
  copy_arrived(warps_[pending.completion.warp].async, pending.completion.pc, pending.group, arrived);
}

void MemoryUnit::acknowledge(std::uint32_t token, Cycle now) {
  if (token >= kTmaToken) {
    bulk_line_answered(token - kTmaToken, now);
    return;
  }
  if (token == kWriteBackToken) {
    return;
  }
  const auto warp = static_cast<std::uint16_t>(token);
  if (token != write_token(warp)) {
    return;  // of a warp that has left
  }
  WarpMemory& state = warps_[warp];
  assert(state.unacknowledged > 0);
  if (--state.unacknowledged == 0 && state.fence_waits) {
    state.fence_waits = false;
    events_.push(std::max(now, state.fence_earliest),
                 {SmEventKind::kFenceDone, 0, lower::ProducerClass::kLong, warp, 0});
  }
}

void MemoryUnit::fence(std::uint16_t warp, std::uint32_t latency, Cycle now) {
  WarpMemory& state = warps_[warp];
  if (state.unacknowledged == 0) {
    events_.push(after_issue(now, latency), {SmEventKind::kFenceDone, 0, lower::ProducerClass::kLong, warp, 0});
    return;
  }
  state.fence_waits = true;
  state.fence_earliest = after_issue(now, latency);
}

msg::Message MemoryUnit::make_request(msg::Kind kind, const LineAccess& line, std::uint32_t token) const {
  msg::Message message;
  message.kind = kind;
  message.address = static_cast<Address>(line.line);
  message.token = token;
  message.requester = place_.index;
  message.slice = static_cast<std::uint16_t>(place_.map->slice_for(message.address, place_.l2_half));
  message.sectors = line.sectors;
  message.write_full = line.full;
  return message;
}

void MemoryUnit::request(msg::Kind kind, const lower::WarpOp& op, const LineAccess& line, std::uint32_t token,
                         bool last) {
  msg::Message message = make_request(kind, line, token);
  message.count = last ? 1 : 0;
  if (kind == msg::Kind::kAtomic || kind == msg::Kind::kReduction) {
    msg::set_atomic_work(message, {line.passes, line.depth, op.atomic_type});
  } else {
    message.lanes = op.eviction == Eviction::kFirst ? 1 : 0;
  }
  port_.push(message);
}

void MemoryUnit::pump(Cycle now) {
  port_.pump(now, events_, [this, now](const msg::Message& message) {
    const bool write = message.kind == msg::Kind::kWrite || message.kind == msg::Kind::kReduction;
    if (write && message.count == 1) {
      push_completion(
          {static_cast<std::uint16_t>(message.token), isa::kNoBarrier, lower::ProducerClass::kLong, lower::kNoProducer},
          now + 1);
    }
    departed_.push_back(message);
  });
  if (!tma_.has_nothing_to_send() && port_.has_bulk_room()) {
    wake_tma(now + 1);
  }
}

std::uint32_t MemoryUnit::allocate_pending() {
  if (free_pending_ == kNone) {
    pendings_.push_back({});
    return static_cast<std::uint32_t>(pendings_.size()) - 1;
  }
  const std::uint32_t index = free_pending_;
  free_pending_ = pendings_[index].next_free;
  pendings_[index] = {};
  return index;
}

}  // namespace gpusim::sm
