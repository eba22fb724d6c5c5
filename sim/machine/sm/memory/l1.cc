// SPDX-License-Identifier: MIT
#include "sim/machine/sm/memory/l1.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <utility>

#include "sim/machine/sm/memory/reply_token.h"

namespace gpusim::sm {
namespace {

using isa::OpKind;

mem::cache::LineNumber line_number(const LineAccess& access) {
  return static_cast<Address>(access.line) / kLineBytes;
}

std::uint32_t count(std::uint8_t sectors) {
  return static_cast<std::uint32_t>(std::popcount(sectors));
}

/// An atomic's values, and the lines of bulk copies, do not.
bool fills_line(const msg::Message& message) {
  return message.kind() == msg::Kind::kReadReply && ReplyToken::of(message).kind() == ReplyToken::Kind::kMshr;
}

}  // namespace

L1::L1(const arch::SmConfig& sm, const SmPlace& place, std::uint64_t bytes, const trace::LocalMemory& local,
       const L1Wiring& wiring)
    : wiring_(wiring),
      hit_latency_(sm.l1.hit_latency),
      most_atomics_(sm.l1.mshrs),
      tags_(mem::cache::TagArray::of_bytes(bytes, sm.l1.ways, place.index, sm.l1.replacement)),
      local_(tags_, LocalFrames(place.index, sm.limits.warps_per_sm, local)),
      mshrs_(sm.l1.mshrs, sm.l1.mshr_merges),
      fill_policies_(sm.l1.mshrs, FillPolicy::kNotKept) {}

L1::FillPolicy L1::fill_policy(const lower::WarpOp& op) {
  if (op.bypass_l1 || op.no_allocate) {
    return FillPolicy::kNotKept;
  }
  return op.eviction == Eviction::kFirst  ? FillPolicy::kFirst
         : op.eviction == Eviction::kLast ? FillPolicy::kLast
                                          : FillPolicy::kNormal;
}

/// All that a common access takes is inlined into it.
[[gnu::flatten]] Executed L1::execute(const Access& access, Cycle now) {
  bool done = false;
  const Lack before = std::exchange(lack_, {});
  switch (access.op->kind) {
    case OpKind::kStore:
      done = access.op->space == isa::MemSpace::kLocal ? execute_local_store(access, now) : execute_write(access, now);
      break;
    case OpKind::kReduction: done = execute_write(access, now); break;
    case OpKind::kAtomic: done = execute_atomic(access, now); break;
    default: done = execute_load(access, before, now); break;
  }
  if (done) {
    lines_done_ = 0;
    current_load_ = kNone;
    last_asked_ = mem::cache::kNoLine;
    count_request(access);
  }
  return {std::max(wiring_.timing.lane_groups(), access.global.wavefronts), done};
}

/// A request has a lane at least that asks for something.
void L1::count_request(const Access& access) {
  const OpKind kind = access.op->kind;
  if (kind == OpKind::kAsyncCopy) {
    wiring_.shared.count(access.shared, SharedMemory::Moves::kWrites);
  }
  if (access.global.line_count == 0) {
    return;
  }
  ++counters_.requests;
  counters_.wavefronts += access.global.wavefronts;
  counters_.requested_bytes += access.global.bytes;
  counters_.ideal_sectors += access.global.ideal_sectors();
  if (is_local_access(*access.op)) {
    local_.count_request(kind == OpKind::kStore);
  } else if (kind == OpKind::kAtomic || kind == OpKind::kReduction) {
    ++counters_.global_atomic_requests;
    counters_.global_atomic_sectors += access.global.sectors;
  } else if (kind == OpKind::kStore) {
    ++counters_.global_store_requests;
    counters_.global_store_sectors += access.global.sectors;
  } else {
    ++counters_.global_load_requests;
    counters_.global_load_sectors += access.global.sectors;
  }
}

/// `before`: what it lacked when it tried last.
bool L1::execute_load(const Access& access, const Lack& before, Cycle now) {
  bool is_known_to_lack = before.mshr;
  for (; lines_done_ < access.global.line_count; ++lines_done_) {
    if (!load_line(access, access.global.lines[lines_done_], std::exchange(is_known_to_lack, false))) {
      return false;
    }
  }
  finish_load(access, now);
  return true;
}

/// False when the line needs an MSHR, a merge place or room in the port that is not there; it will be asked for again.
/// `is_known_to_lack`: an MSHR, as long as it has none (Lack::mshr).
bool L1::load_line(const Access& access, const LineAccess& line, bool is_known_to_lack) {
  const bool bypass = access.op->bypass_l1;
  const mem::cache::LineNumber number = line_number(line);
  const mem::cache::LineState found = bypass || is_known_to_lack ? mem::cache::LineState{} : tags_.use(number);
  const auto hits = static_cast<std::uint8_t>(found.valid & line.sectors);
  const auto misses = static_cast<std::uint8_t>(line.sectors & ~hits);
  if (hits != 0 && access.op->eviction != Eviction::kNormal) {
    tags_.set_eviction(number, access.op->eviction);
  }
  if (misses != 0) {
    const Mshrs::Entry mshr = is_known_to_lack ? Mshrs::kNone : mshrs_.find(number);
    if (!miss(access, line, misses, mshr)) {
      if (!found.present() && mshr == Mshrs::kNone) {
        lack_ = {1, true};
      }
      return false;
    }
  }
  if (bypass) {
    counters_.bypass_sectors += count(line.sectors);
    return true;
  }
  counters_.load_sectors += count(line.sectors);
  counters_.load_hits += count(hits);
  counters_.load_misses += count(misses);
  if (access.op->space == isa::MemSpace::kLocal) {
    local_.load(line, hits, access.op->eviction == Eviction::kFirst);
  }
  return true;
}

/// Asks L2 for the sectors that are not on their way already, and has the access wait for all of them. `mshr`: the
/// line's, if it has one.
bool L1::miss(const Access& access, const LineAccess& line, std::uint8_t misses, Mshrs::Entry mshr) {
  const bool fresh = mshr == Mshrs::kNone;
  const auto asked = fresh ? misses : static_cast<std::uint8_t>(misses & ~mshrs_.outstanding(mshr));
  const bool room = fresh ? mshrs_.can_allocate() : mshrs_.can_merge(mshr);
  if (!room || (asked != 0 && !wiring_.port.has_room(1))) {
    return false;
  }
  if (fresh) {
    mshr = mshrs_.allocate(line_number(line), misses);
    fill_policies_[mshr] = FillPolicy::kNotKept;
  }
  fill_policies_[mshr] = std::max(fill_policies_[mshr], fill_policy(*access.op));
  const std::uint32_t load = current_load(access);
  ++loads_[load].lines;
  mshrs_.add_target(mshr, misses, {load});
  const std::uint32_t merges = count(static_cast<std::uint8_t>(misses & ~asked));
  counters_.mshr_merges += merges;
  counters_.load_merges += access.op->bypass_l1 ? 0 : merges;
  if (asked != 0) {
    counters_.fill_sectors += count(asked);
    if (access.op->space == isa::MemSpace::kLocal) {
      local_.count_fill(asked);
    }
    count_read_request(line_number(line));
    request(msg::Kind::kRead, *access.op, {line.line, asked}, ReplyToken::mshr(mshr), false);
  }
  return true;
}

/// An instruction asks for both lines of 256 aligned bytes in one request, as Nsight Compute counts them; on their way
/// to L2 they are two.
void L1::count_read_request(mem::cache::LineNumber line) {
  const bool is_second_half = (line ^ last_asked_) == 1;
  counters_.read_requests += is_second_half ? 0 : 1;
  last_asked_ = line;
}

void L1::finish_load(const Access& access, Cycle now) {
  release_sources(wiring_.events, *access.op, access.origin.warp, now);
  if (current_load_ == kNone && access.op->kind == OpKind::kAsyncCopy) {
    current_load(access);
  }
  if (current_load_ == kNone) {
    // A wide load's wavefronts and its way to the registers overlap.
    const std::uint32_t more =
        std::max(wiring_.timing.return_delay(access.global.wavefronts - 1), extra_cycles(access.op->bytes_per_lane));
    push_completion(wiring_.events, completion_of(*access.op, access.origin.warp),
                    now + wiring_.timing.cycles_in_unit(*access.op, hit_latency_, kGlobalAddressRegisters) + more);
    return;
  }
  loads_[current_load_].all_asked = true;
  if (loads_[current_load_].lines == 0) {
    complete_load(current_load_, now);
  }
}

/// Writes go through to L2 and do not allocate. The operation is over, and the warp may leave, when the last line has
/// left the SM.
[[gnu::noinline, gnu::flatten]] bool L1::execute_write(const Access& access, Cycle now) {
  if (!wiring_.port.has_room(access.global.line_count)) {
    lack_.places = access.global.line_count;
    return false;
  }
  const bool reduction = access.op->kind == OpKind::kReduction;
  const std::uint32_t lines = access.global.line_count;
  for (std::uint32_t i = 0; i < lines; ++i) {
    const LineAccess& line = access.global.lines[i];
    if (reduction) {
      counters_.atomic_sectors += count(line.sectors);
      tags_.invalidate(line_number(line));
    } else {
      counters_.store_sectors += count(line.sectors);
      counters_.store_hits += count(tags_.probe(line_number(line)).valid & line.sectors);
    }
    request(reduction ? msg::Kind::kReduction : msg::Kind::kWrite, *access.op, line,
            wiring_.writes.token_of(access.origin.warp), i + 1 == lines);
  }
  release_sources(wiring_.events, *access.op, access.origin.warp, now + wiring_.timing.store_read_cycles(*access.op));
  if (access.op->write_barrier != isa::kNoBarrier) {
    push_completion(wiring_.events, completion_of(*access.op, access.origin.warp), now + 1);
  }
  return true;
}

/// Its operation is over in the SM.
[[gnu::noinline]] bool L1::execute_local_store(const Access& access, Cycle now) {
  for (; lines_done_ < access.global.line_count; ++lines_done_) {
    if (!wiring_.port.has_room(1)) {
      return false;  // for the line that may have to leave
    }
    const mem::cache::LineState left = local_.store(access.origin.warp, access.global.lines[lines_done_]);
    if (left.dirty != 0) {
      write_back(left);
    }
  }
  const Cycle read = now + wiring_.timing.store_read_cycles(*access.op);
  release_sources(wiring_.events, *access.op, access.origin.warp, read);
  push_completion(wiring_.events, completion_of(*access.op, access.origin.warp), read);
  return true;
}

/// Atomics go to L2 and come back with a value; they drop the L1's copy.
[[gnu::noinline]] bool L1::execute_atomic(const Access& access, Cycle now) {
  // An access of more lines than the limit goes alone.
  const bool crowded = atomics_in_flight_ > 0 && atomics_in_flight_ + access.global.line_count > most_atomics_;
  if (crowded || !wiring_.port.has_room(access.global.line_count)) {
    return false;
  }
  const std::uint32_t load = current_load(access);
  loads_[load].all_asked = true;
  loads_[load].lines = access.global.line_count;
  atomics_in_flight_ += access.global.line_count;
  for (std::uint32_t i = 0; i < access.global.line_count; ++i) {
    const LineAccess& line = access.global.lines[i];
    counters_.atomic_sectors += count(line.sectors);
    tags_.invalidate(line_number(line));
    request(msg::Kind::kAtomic, *access.op, line, ReplyToken::atomic(load), false);
  }
  release_sources(wiring_.events, *access.op, access.origin.warp, now);
  return true;
}

void L1::request(msg::Kind kind, const lower::WarpOp& op, const LineAccess& line, ReplyToken token, bool last) {
  msg::Message message = wiring_.port.make_request(kind, line, token);
  auto& asked = message.as<msg::L2Access>();
  asked.is_last = last ? 1 : 0;
  if (kind == msg::Kind::kAtomic || kind == msg::Kind::kReduction) {
    asked.atomic = {line.passes, line.depth, op.atomic_type};
  } else {
    asked.leaves_soon = op.eviction == Eviction::kFirst ? 1 : 0;
    asked.fetch_sectors = op.fetch_sectors;
  }
  wiring_.port.push(message);
}

// ---- What comes back, and the loads that wait for it ------------------------------------------------------------

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
