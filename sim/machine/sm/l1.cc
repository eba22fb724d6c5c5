// SPDX-License-Identifier: MIT
// Accesses to global and local memory: lookups in the sectored L1, misses into MSHRs, writes through. An access is
// worked off line by line; when it needs an MSHR or room in the port that is not there, it waits at the head of the
// load/store unit and goes on where it stopped.
#include <algorithm>
#include <bit>

#include "sim/machine/sm/memory_unit.h"

namespace gpusim::sm {
namespace {

using isa::OpKind;

mem::cache::LineNumber line_number(const LineAccess& access) {
  return static_cast<Address>(access.line) / kLineBytes;
}

std::uint32_t count(std::uint8_t sectors) {
  return static_cast<std::uint32_t>(std::popcount(sectors));
}

Keep keep_of(const lower::WarpOp& op) {
  if (op.bypass_l1 || op.no_allocate) {
    return Keep::kNot;
  }
  return op.eviction == Eviction::kFirst ? Keep::kFirst : op.eviction == Eviction::kLast ? Keep::kLast : Keep::kNormal;
}

}  // namespace

/// Cycles after the first register's for the data of a wider load to reach the registers (64 bytes a cycle; sm-model's
/// 32, 34 and 38 cycles for 32, 64 and 128 bits).
std::uint32_t extra_cycles(std::uint8_t bytes_per_lane) {
  constexpr std::uint32_t kCyclesPerRegister = 2;
  return bytes_per_lane <= 4 ? 0 : (bytes_per_lane / 4U - 1) * kCyclesPerRegister;
}

std::uint32_t MemoryUnit::execute_global(const Access& access, Cycle now) {
  bool done = false;
  switch (access.op->kind) {
    case OpKind::kStore:
      done = access.op->space == isa::MemSpace::kLocal ? execute_local_store(access, now) : execute_write(access, now);
      break;
    case OpKind::kReduction: done = execute_write(access, now); break;
    case OpKind::kAtomic: done = execute_atomic(access, now); break;
    default: done = execute_load(access, now); break;
  }
  blocked_ = !done;
  if (done) {
    lines_done_ = 0;
    current_pending_ = kNone;
    count_request(access);
  }
  return access.global.wavefronts;
}

void MemoryUnit::count_request(const Access& access) {
  ++l1_counters_.requests;
  l1_counters_.wavefronts += access.global.wavefronts;
  l1_counters_.requested_bytes += access.global.bytes;
  const OpKind kind = access.op->kind;
  if (is_local_access(*access.op)) {
    local_.count_request(kind == OpKind::kStore);
  } else if (kind == OpKind::kAtomic || kind == OpKind::kReduction) {
    ++l1_counters_.global_atomic_requests;
    l1_counters_.global_atomic_sectors += access.global.sectors;
  } else if (kind == OpKind::kStore) {
    ++l1_counters_.global_store_requests;
    l1_counters_.global_store_sectors += access.global.sectors;
  } else {
    ++l1_counters_.global_load_requests;
    l1_counters_.global_load_sectors += access.global.sectors;
  }
  if (kind == OpKind::kAsyncCopy) {
    ++shared_counters_.shared_requests;
    shared_counters_.shared_wavefronts += access.shared.wavefronts;
    shared_counters_.shared_ideal_wavefronts += access.shared.ideal_wavefronts;
    shared_counters_.shared_write_bytes += access.shared.bytes;
  }
}

bool MemoryUnit::execute_load(const Access& access, Cycle now) {
  while (lines_done_ < access.global.line_count) {
    if (!load_line(access, access.global.lines[lines_done_])) {
      return false;
    }
    ++lines_done_;
  }
  finish_load(access, now);
  return true;
}

/// False when the line needs an MSHR, a merge place or room in the port that is not there; it will be looked up again.
bool MemoryUnit::load_line(const Access& access, const LineAccess& line) {
  const bool bypass = access.op->bypass_l1;
  const mem::cache::LineNumber number = line_number(line);
  const std::uint8_t hits = bypass ? std::uint8_t{0} : tags_.lookup(number, line.sectors);
  const auto misses = static_cast<std::uint8_t>(line.sectors & ~hits);
  if (hits != 0 && access.op->eviction != Eviction::kNormal) {
    tags_.set_eviction(number, access.op->eviction);
  }
  if (misses != 0 && !miss(access, line, misses)) {
    return false;
  }
  if (bypass) {
    l1_counters_.bypass_sectors += count(line.sectors);
    return true;
  }
  l1_counters_.load_sectors += count(line.sectors);
  l1_counters_.load_hits += count(hits);
  l1_counters_.load_misses += count(misses);
  if (access.op->space == isa::MemSpace::kLocal) {
    local_.load(line, hits, access.op->eviction == Eviction::kFirst);
  }
  return true;
}

/// Asks L2 for the sectors that are not on their way already, and has the access wait for all of them.
bool MemoryUnit::miss(const Access& access, const LineAccess& line, std::uint8_t misses) {
  const mem::cache::LineNumber number = line_number(line);
  auto mshr = mshrs_.find(number);
  const bool fresh = mshr == kNone;
  const auto asked = fresh ? misses : static_cast<std::uint8_t>(misses & ~mshrs_.outstanding(mshr));
  const bool room = fresh ? mshrs_.can_allocate() : mshrs_.can_merge(mshr);
  if (!room || (asked != 0 && !port_.has_room(1))) {
    return false;
  }
  if (fresh) {
    mshr = mshrs_.allocate(number, misses);
    mshr_keeps_[mshr] = Keep::kNot;
  }
  mshr_keeps_[mshr] = std::max(mshr_keeps_[mshr], keep_of(*access.op));
  const std::uint32_t pending = current_pending(access);
  ++pendings_[pending].lines;
  mshrs_.add_waiter(mshr, misses, {pending});
  l1_counters_.mshr_merges += count(static_cast<std::uint8_t>(misses & ~asked));
  if (asked != 0) {
    l1_counters_.fill_sectors += count(asked);
    if (access.op->space == isa::MemSpace::kLocal) {
      local_.count_fill(asked);
    }
    request(msg::Kind::kRead, *access.op, {line.line, asked}, mshr, false);
  }
  return true;
}

/// The record of the access being executed, made when its first line misses.
std::uint32_t MemoryUnit::current_pending(const Access& access) {
  if (current_pending_ != kNone) {
    return current_pending_;
  }
  current_pending_ = allocate_pending();
  Pending& pending = pendings_[current_pending_];
  pending.completion = completion_of(access);
  pending.to_shared = access.op->kind == OpKind::kAsyncCopy;
  pending.extra_latency = pending.to_shared ? 0 : extra_cycles(access.op->bytes_per_lane);
  if (pending.to_shared) {
    pending.bank_cycles = access.shared.wavefronts * cycles_a_pass(*access.op);
    const std::uint32_t ideal = std::max(1U, access.shared.ideal_wavefronts) * cycles_a_pass(*access.op);
    const std::uint32_t conflicts = pending.bank_cycles > ideal ? pending.bank_cycles - ideal : 0;
    pending.extra_latency = std::max(pending.bank_cycles, lsu_.copy_cycles + conflicts);
  }
  if (pending.to_shared) {
    pending.group = join_open_group(warps_[access.origin.warp].async);
  }
  return current_pending_;
}

void MemoryUnit::finish_load(const Access& access, Cycle now) {
  release_sources(access, now);
  if (current_pending_ == kNone && access.op->kind == OpKind::kAsyncCopy) {
    current_pending(access);
  }
  if (current_pending_ == kNone) {
    // A wide load's wavefronts and its way to the registers overlap.
    const std::uint32_t more = std::max(access.global.wavefronts - 1, extra_cycles(access.op->bytes_per_lane));
    complete_operation(access,
                       now + cycles_in_unit(*access.op, l1_config_.hit_latency, kGlobalAddressRegisters) + more);
    return;
  }
  pendings_[current_pending_].all_asked = true;
  if (pendings_[current_pending_].lines == 0) {
    complete_pending(current_pending_, now);
  }
}

/// Writes go through to L2 and do not allocate. The operation is over, and the warp may leave, when the last line has
/// left the SM.
bool MemoryUnit::execute_write(const Access& access, Cycle now) {
  if (!port_.has_room(access.global.line_count)) {
    return false;
  }
  const bool reduction = access.op->kind == OpKind::kReduction;
  const std::uint32_t lines = access.global.line_count;
  for (std::uint32_t i = 0; i < lines; ++i) {
    const LineAccess& line = access.global.lines[i];
    (reduction ? l1_counters_.atomic_sectors : l1_counters_.store_sectors) += count(line.sectors);
    if (reduction) {
      tags_.invalidate(line_number(line));
    }
    request(reduction ? msg::Kind::kReduction : msg::Kind::kWrite, *access.op, line, write_token(access.origin.warp),
            i + 1 == lines);
  }
  release_sources(access, now + store_read_cycles(*access.op));
  if (access.op->write_barrier != isa::kNoBarrier) {
    complete_operation(access, now + 1);
  }
  return true;
}

/// Its operation is over in the SM.
bool MemoryUnit::execute_local_store(const Access& access, Cycle now) {
  for (; lines_done_ < access.global.line_count; ++lines_done_) {
    if (!port_.has_room(1)) {
      return false;  // for the line that may have to leave
    }
    const mem::cache::LineState left = local_.store(access.origin.warp, access.global.lines[lines_done_]);
    if (left.dirty != 0) {
      write_back(left);
    }
  }
  const Cycle read = now + store_read_cycles(*access.op);
  release_sources(access, read);
  complete_operation(access, read);
  return true;
}

/// It goes into the queue to L2 even if that is full: who fills a line cannot wait.
void MemoryUnit::write_back(const mem::cache::LineState& left) {
  if (const auto line = local_.write_back(left)) {
    port_.push(make_request(msg::Kind::kWrite, *line, kWriteBackToken));
  }
}

/// Atomics go to L2 and come back with a value; they drop the L1's copy.
bool MemoryUnit::execute_atomic(const Access& access, Cycle now) {
  // An access of more lines than the limit goes alone.
  const bool crowded = atomics_in_flight_ > 0 && atomics_in_flight_ + access.global.line_count > l1_config_.mshrs;
  if (crowded || !port_.has_room(access.global.line_count)) {
    return false;
  }
  const std::uint32_t pending = current_pending(access);
  pendings_[pending].atomic = true;
  pendings_[pending].all_asked = true;
  pendings_[pending].lines = access.global.line_count;
  atomics_in_flight_ += access.global.line_count;
  for (std::uint32_t i = 0; i < access.global.line_count; ++i) {
    const LineAccess& line = access.global.lines[i];
    l1_counters_.atomic_sectors += count(line.sectors);
    tags_.invalidate(line_number(line));
    request(msg::Kind::kAtomic, *access.op, line, kPendingToken + pending, false);
  }
  release_sources(access, now);
  return true;
}

}  // namespace gpusim::sm
