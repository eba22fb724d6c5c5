// SPDX-License-Identifier: MIT
// What comes back to L1, and the loads that wait for it.
#include <algorithm>
#include <cassert>

#include "sim/machine/sm/memory/l1.h"
#include "sim/machine/sm/memory/reply_token.h"

namespace gpusim::sm {
namespace {

/// An atomic's values, and the lines of bulk copies, do not.
bool fills_line(const msg::Message& message) {
  return message.kind() == msg::Kind::kReadReply && ReplyToken::of(message).kind() == ReplyToken::Kind::kMshr;
}

}  // namespace

/// The record of the access being executed, made when its first line misses.
[[gnu::noinline]] void L1::begin_load(const Access& access) {
  OutstandingLoad load;
  load.completion = completion_of(*access.op, access.origin.warp);
  load.to_shared = access.op->kind == isa::OpKind::kAsyncCopy;
  if (load.to_shared) {
    const std::uint32_t pass = wiring_.timing.cycles_a_pass(*access.op);
    load.bank_cycles = access.shared.wavefronts * pass;
    const std::uint32_t ideal = std::max(1U, access.shared.ideal_wavefronts) * pass;
    const std::uint32_t conflicts = load.bank_cycles > ideal ? load.bank_cycles - ideal : 0;
    load.extra_latency = std::max(load.bank_cycles, wiring_.timing.copy_cycles() + conflicts);
    load.group = wiring_.copies.join(access.origin.warp);
  } else {
    load.extra_latency = extra_cycles(access.op->bytes_per_lane);
  }
  current_load_ = loads_.take(load);
}

/// Which accesses wait for the reply of an MSHR is known only once its entry is there: prefetch_loads() comes a while
/// later.
void L1::prefetch(std::span<const msg::Message> replies) const {
  for (const msg::Message& message : replies) {
    if (fills_line(message)) {
      const auto& reply = message.as<msg::L2Access>();
      mshrs_.prefetch_entry(ReplyToken(reply.token).index());
      mshrs_.prefetch(reply.address / kLineBytes);
    }
  }
}

void L1::prefetch_loads(std::span<const msg::Message> replies) const {
  for (const msg::Message& message : replies) {
    if (fills_line(message)) {
      const auto& reply = message.as<msg::L2Access>();
      const std::uint32_t mshr = ReplyToken(reply.token).index();
      gpusim::prefetch(&loads_[mshrs_.oldest(mshr).load], sizeof(OutstandingLoad));
      if (fill_policies_[mshr] != FillPolicy::kNotKept) {
        tags_.prefetch_set(reply.address / kLineBytes);
      }
    }
  }
}

std::uint16_t L1::warp_of(const msg::Message& reply) const {
  const ReplyToken token = ReplyToken::of(reply);
  const bool is_atomic = token.kind() == ReplyToken::Kind::kAtomic;
  return loads_[is_atomic ? token.index() : mshrs_.oldest(token.index()).load].completion.warp;
}

/// All that a common reply takes is inlined into it.
[[gnu::flatten]] bool L1::fill(const msg::Message& reply, Cycle now) {
  counters_.reply_sectors += msg::sector_count(reply.sectors);
  const ReplyToken token = ReplyToken::of(reply);
  if (token.kind() == ReplyToken::Kind::kAtomic) {
    --atomics_in_flight_;
    line_arrived(token.index(), now);
    return false;
  }
  const std::uint32_t mshr = token.index();
  bool writes_back = false;
  const mem::cache::LineNumber line = reply.as<msg::L2Access>().address / kLineBytes;
  if (const FillPolicy policy = fill_policies_[mshr]; policy != FillPolicy::kNotKept) {
    if (const mem::cache::LineState left = tags_.fill(line, reply.sectors); left.dirty != 0) {
      write_back(left);
      writes_back = true;
    }
    if (policy != FillPolicy::kNormal) {
      tags_.set_eviction(line, policy == FillPolicy::kFirst ? Eviction::kFirst : Eviction::kLast);
    }
  }
  mshrs_.complete(mshr, reply.sectors, [this, now](const MshrTarget& target) { line_arrived(target.load, now); });
  return writes_back;
}

/// It goes into the queue to L2 even if that is full: a fill cannot wait.
[[gnu::noinline]] void L1::write_back(const mem::cache::LineState& left) {
  if (const auto line = local_.write_back(left)) {
    wiring_.port.push(wiring_.port.make_request(msg::Kind::kWrite, *line, ReplyToken::write_back()));
  }
}

void L1::line_arrived(std::uint32_t index, Cycle now) {
  OutstandingLoad& load = loads_[index];
  assert(load.lines > 0);
  --load.lines;
  if (load.lines == 0 && load.all_asked) {
    complete_load(index, now);
  }
}

[[gnu::noinline]] void L1::complete_load(std::uint32_t index, Cycle now) {
  const OutstandingLoad load = loads_.remove(index);
  const Cycle arrived = now + wiring_.timing.through_l1() + load.extra_latency;
  if (!load.to_shared) {
    push_completion(wiring_.events, load.completion, arrived);
    return;
  }
  // The copy takes the shared-memory banks for its wavefronts when the data comes.
  wiring_.stage.take(now, load.bank_cycles);
  push_completion(wiring_.events, load.completion, arrived);
  wiring_.copies.arrived(load.completion.warp, load.group, load.completion.pc, arrived);
}

}  // namespace gpusim::sm
