// SPDX-License-Identifier: MIT
// Queues, address calculation and arbitration of the load/store unit, and the accesses that do not leave the SM.
// Reproduces the measured issue-cycle table (Huerta et al., MICRO 2025): five accepted a sub-core, then one every four
// cycles, all sub-cores together one every 32 / lanes cycles.
#include <algorithm>
#include <cassert>

#include "sim/machine/sm/memory_unit.h"

namespace gpusim::sm {
namespace {

using isa::MemSpace;
using isa::OpKind;
using lower::ProducerClass;

bool is_global(MemSpace space) {
  return space == MemSpace::kGlobal || space == MemSpace::kLocal;
}

DataPath data_path(const lower::WarpOp& op) {
  if (op.kind == OpKind::kReduction || op.kind == OpKind::kAtomic) {
    return DataPath::kAtomics;
  }
  if (op.kind == OpKind::kStore) {
    return is_local_access(op) ? DataPath::kLocalWrites : DataPath::kWrites;
  }
  if (is_local_access(op)) {
    return DataPath::kLocalReads;
  }
  return op.bypass_l1 || op.space == MemSpace::kClusterShared ? DataPath::kSkips : DataPath::kReads;
}

/// 32-bit registers a lane's data takes.
std::uint32_t data_registers(const lower::WarpOp& op) {
  return std::max<std::uint32_t>(1, op.bytes_per_lane / 4U);
}

constexpr std::uint32_t kSharedAddressRegisters = 1;
constexpr std::uint32_t kStoreRegisterCycles = 2;  ///< 512 bits of stored data a cycle

}  // namespace

/// Cycles after a store got to the unit until all its sources have been read: 8 + 2 for each register from its issue,
/// of addresses and data alike (Huerta et al.).
std::uint32_t MemoryUnit::store_read_cycles(const lower::WarpOp& op) const {
  const std::uint32_t address = op.address_registers > 0 ? lsu_.register_cycles : 0;
  return kStoreRegisterCycles * data_registers(op) - 1 + address;
}

MemoryUnit::MemoryUnit(const arch::Arch& arch, const SmPlace& place, const Tenancy& tenancy, ConstantCaches& constants,
                       SmEvents& events)
    : lsu_(arch.sm.lsu),
      shared_config_(arch.sm.shared),
      l1_config_(arch.sm.l1),
      stage_{arch.sm.l1.tag_lines_per_cycle, arch.sm.l1.data_bytes_per_cycle},
      place_(place),
      constants_(constants),
      events_(events),
      queues_(arch.sm.sub_cores),
      tags_(mem::cache::TagArray::of_bytes(tenancy.l1_bytes - arch.sm.l1.reserved_bytes, arch.sm.l1.ways, place.index)),
      local_(tags_, LocalFrames(place.index, arch.sm.limits.warps_per_sm, tenancy.kernel->local)),
      mshrs_(arch.sm.l1.mshrs, arch.sm.l1.mshr_merges),
      mshr_keeps_(arch.sm.l1.mshrs, Keep::kNot),
      // Room for the lines of one access of the widest kind: an access leaves the load/store unit as a whole.
      port_(arch.noc, kMaxGlobalLines, place.request_credits),
      warps_(arch.sm.limits.warps_per_sm),
      polls_(arch.sm.mbarrier.try_wait_limit, arch.sm.limits.warps_per_sm, events),
      mbarriers_(tenancy.ctas, *tenancy.kernel, polls_),
      registers_(tenancy.ctas, arch.sm.limits.warps_per_sm, *tenancy.kernel, polls_),
      tma_(arch.sm.tma) {}

void MemoryUnit::begin_warp(std::uint16_t warp) {
  const auto tenant = static_cast<std::uint16_t>((warps_[warp].tenant + 1) & kMostTenant);
  warps_[warp] = {};
  warps_[warp].tenant = tenant;
  polls_.begin_warp(warp);
  registers_.begin_warp(warp);
}

void MemoryUnit::begin_cta(std::uint32_t cta) {
  mbarriers_.begin_cta(cta);
  registers_.begin_cta(cta);
}

std::uint32_t MemoryUnit::operations(const lower::WarpOp& op) {
  const std::uint32_t sources = op.read_barrier == isa::kNoBarrier ? 0 : 1;
  // A write also ends when its data has left the SM, whatever counter it raises. That of local memory stays.
  const bool leaves =
      is_global(op.space) && !is_local_access(op) && (op.kind == OpKind::kStore || op.kind == OpKind::kReduction);
  const std::uint32_t also_counted = leaves && op.write_barrier != isa::kNoBarrier ? 1 : 0;
  return 1 + sources + also_counted;
}

std::uint32_t MemoryUnit::accept(const lower::WarpOp& op, const Origin& origin, const LaneSource& lanes, Cycle now) {
  SubCoreQueue& queue = queues_[origin.sub_core];
  assert(!is_full(origin.sub_core));
  const std::uint32_t index = accesses_.take();
  queue.accesses.push_back(index);
  Access& access = accesses_[index];
  access.op = &op;
  access.origin = origin;
  shape(access, lanes);
  prefetch(access);
  const Cycle ready =
      std::max(now + address_cycles(op.space == MemSpace::kNone ? kGlobalAddressRegisters : op.address_registers),
               queue.address_free);
  queue.address_free = ready + lsu_.address_interval;
  events_.push(ready,
               {SmEventKind::kAddressReady, 0, ProducerClass::kShort, static_cast<std::uint16_t>(origin.sub_core), 0});
  return is_global(op.space) ? access.global.sectors : 0;
}

/// Source registers are read one after the other: an address in one register, or in none, is there before one in two,
/// that of an LDGSTS, with its destination, after it (9, 11 and 13 cycles by Huerta et al.).
std::uint32_t MemoryUnit::address_cycles(std::uint32_t registers) const {
  const std::int64_t more = std::max<std::int64_t>(1, registers) - kGlobalAddressRegisters;
  return static_cast<std::uint32_t>(std::max<std::int64_t>(1, lsu_.address_latency + more * lsu_.register_cycles));
}

std::uint32_t MemoryUnit::cycles_in_unit(const lower::WarpOp& op, std::uint32_t latency,
                                         std::uint32_t registers) const {
  const std::uint32_t before = address_cycles(registers) + (op.address_registers == 0 ? lsu_.lane_cycles : 0);
  return latency > before ? latency - before : 1;
}

void MemoryUnit::shape(Access& access, const LaneSource& lanes) {
  const lower::WarpOp& op = *access.op;
  const AccessWidth width{op.bytes_per_lane, op.matrices, data_path(op), op.serial_lanes};
  const LaneMask mask = access.origin.mask;
  access.shared = {};
  access.global.line_count = 0;
  access.global.wavefronts = 0;
  access.global.sectors = 0;
  if (mask == 0) {
    return;
  }
  if (op.asks_engines()) {
    access.async = lanes.walker.async_operands();
    if (access.is_remote_sync()) {
      shape_sync(access);
    }
  } else if (op.space == MemSpace::kShared) {
    access.shared = lanes.shapes.shared(lanes.walker.addresses(trace::AccessSlot::kPrimary), mask, width);
  } else if (op.space == MemSpace::kClusterShared) {
    shape_remote(access, lanes, width);
  } else if (is_local_access(op)) {
    trace::LaneAddresses of_threads = lanes.walker.addresses(trace::AccessSlot::kPrimary);
    of_threads.base += local_.frames().zero_of(access.origin.warp);
    lanes.shapes.global(of_threads, mask, width, stage_, access.global);
  } else if (is_global(op.space)) {
    lanes.shapes.global(lanes.walker.addresses(trace::AccessSlot::kPrimary), mask, width, stage_, access.global);
    if (op.kind == OpKind::kAsyncCopy) {
      access.shared = lanes.shapes.shared(lanes.walker.addresses(trace::AccessSlot::kSharedDestination), mask, width);
    } else if (op.kind == OpKind::kStore || op.kind == OpKind::kReduction) {
      warps_[access.origin.warp].unacknowledged += access.global.line_count;
    }
  }
}

std::uint32_t MemoryUnit::handle(const SmEvent& event, Cycle now) {
  switch (event.kind) {
    case SmEventKind::kAddressReady: offers_.push_back(event.warp); break;
    case SmEventKind::kLsuFree: lsu_wakes_ = false; break;
    case SmEventKind::kMbarrierSignal: signal(event.pc, now); break;
    case SmEventKind::kTmaStep:
      tma_wakes_ = false;
      step_tma(now);
      pump(now);
      break;
    case SmEventKind::kPortFree:
      port_.woken();
      pump(now);
      break;
    default: assert(false && "not an event of the memory unit");
  }
  return serve(now);
}

/// Executes ready accesses, first come first served, as long as the unit is free.
std::uint32_t MemoryUnit::serve(Cycle now) {
  std::uint32_t freed = 0;
  while (!offers_.empty()) {
    if (lsu_free_ > now) {
      if (!lsu_wakes_) {
        lsu_wakes_ = true;
        events_.push(lsu_free_, {SmEventKind::kLsuFree, 0, ProducerClass::kShort, 0, 0});
      }
      break;
    }
    const std::uint32_t sub_core = offers_.front();
    SubCoreQueue& queue = queues_[sub_core];
    blocked_ = false;
    const std::uint32_t cycles = execute(accesses_[queue.accesses.front()], now);
    pump(now);
    if (blocked_) {
      break;
    }
    lsu_free_ = std::max(lsu_free_, now + cycles);
    offers_.pop_front();
    accesses_.release(queue.accesses.front());
    queue.accesses.pop_front();
    freed |= 1U << sub_core;
  }
  return freed;
}

/// Returns the cycles the shared unit is busy: an access for as long as its lanes take to get there, all else
/// (shuffles: 32 results a cycle on every part) for one. Sets blocked_ when the access cannot finish now.
std::uint32_t MemoryUnit::execute(const Access& access, Cycle now) {
  const lower::WarpOp& op = *access.op;
  if (access.origin.mask == 0) {
    return execute_empty(access, now);
  }
  switch (op.kind) {
    case OpKind::kAsyncCommit:
      release_sources(access, now);
      commit_group(warps_[access.origin.warp].async, {access.origin.warp, op.write_barrier, op.producer, op.pc}, now);
      return 1;
    case OpKind::kBulkCommit: commit_bulk_group(access, now); return 1;
    case OpKind::kTensorCopy: return execute_bulk(access, now);
    case OpKind::kMbarrier:
    case OpKind::kPoll:
    case OpKind::kRegisterPool: return execute_sync(access, now);
    default: break;
  }
  if (is_global(op.space)) {
    return std::max(kWarpLanes / lsu_.lanes, execute_global(access, now));
  }
  if (op.space == MemSpace::kShared) {
    return std::max(kWarpLanes / lsu_.lanes, execute_shared(access, now));
  }
  if (op.space == MemSpace::kClusterShared) {
    return std::max(kWarpLanes / lsu_.lanes, execute_remote(access, now));
  }
  return execute_other(access, now);
}

/// No lane takes part: the instruction passes through and lowers its counters.
std::uint32_t MemoryUnit::execute_empty(const Access& access, Cycle now) {
  release_sources(access, now);
  complete_operation(access, now + 1);
  const bool both = operations(*access.op) > (access.op->read_barrier == isa::kNoBarrier ? 1U : 2U);
  if (both) {
    push_completion({access.origin.warp, isa::kNoBarrier, access.op->producer, lower::kNoProducer}, now + 1);
  }
  return 1;
}

/// Cycles that one pass through the banks takes: as many as its lanes take to get there. (On Ada, with 16 lanes, each
/// way of a conflict costs two cycles.)
std::uint32_t MemoryUnit::cycles_a_pass(const lower::WarpOp& op) const {
  return std::max(1U, lanes_a_phase({op.bytes_per_lane, op.matrices}) / lsu_.lanes);
}

std::uint32_t MemoryUnit::execute_shared(const Access& access, Cycle now) {
  const lower::WarpOp& op = *access.op;
  const std::uint32_t wavefronts = access.shared.wavefronts;
  const std::uint32_t cycles = wavefronts * cycles_a_pass(op);
  ++shared_counters_.shared_requests;
  shared_counters_.shared_wavefronts += wavefronts;
  shared_counters_.shared_ideal_wavefronts += access.shared.ideal_wavefronts;
  if (op.kind == OpKind::kStore || op.kind == OpKind::kReduction) {
    shared_counters_.shared_write_bytes += access.shared.bytes;
    const Cycle read = now + store_read_cycles(op);
    release_sources(access, read);
    complete_operation(access, std::max(read, now + cycles));
  } else {
    shared_counters_.shared_read_bytes += access.shared.bytes;
    release_sources(access, now);
    const std::uint32_t at_least = kWarpLanes / lsu_.lanes;  // what a load of one pass takes is in the latency
    complete_operation(access, now + cycles_in_unit(op, shared_config_.latency, kSharedAddressRegisters) +
                                   (cycles > at_least ? cycles - at_least : 0));
  }
  return cycles;
}

/// Shuffles, special registers, constant loads: no bank; the class's latency, and of a constant that of a line which is
/// missing. A constant load whose address is in registers keeps them until its data is there (29 cycles both; 10 and 26
/// with an immediate, Huerta et al.).
std::uint32_t MemoryUnit::execute_other(const Access& access, Cycle now) {
  const lower::WarpOp& op = *access.op;
  const bool is_constant = op.space == MemSpace::kConstant;
  const Cycle missing = op.constant == 0 ? 0 : constants_.load(op.constant, now) - now;
  const Cycle done =
      now + missing + (is_constant ? cycles_in_unit(op, op.latency, kGlobalAddressRegisters) : left_of(op.latency));
  release_sources(access, !is_constant ? now : op.address_registers > 0 ? done : now + 1);
  complete_operation(access, done);
  return 1;
}

void MemoryUnit::release_sources(const Access& access, Cycle at) {
  if (access.op->read_barrier != isa::kNoBarrier) {
    const lower::WarpOp& op = *access.op;
    events_.push(at, {SmEventKind::kCounterRelease, op.read_barrier, op.producer, access.origin.warp, op.pc});
  }
}

/// A line from or to elsewhere takes one pass through the banks as soon as they are free. Returns when it is through.
Cycle MemoryUnit::take_banks(Cycle now) {
  lsu_free_ = std::max(lsu_free_, now) + 1;
  ++shared_counters_.shared_wavefronts;
  ++shared_counters_.shared_ideal_wavefronts;
  return lsu_free_;
}

void MemoryUnit::complete_operation(const Access& access, Cycle at) {
  push_completion(completion_of(access), at);
}

void MemoryUnit::push_completion(const Completion& completion, Cycle at) {
  if (completion.counter != isa::kNoBarrier) {
    events_.push(at, {SmEventKind::kCounterRelease, completion.counter, completion.producer, completion.warp,
                      completion.pc, completion.banks});
  } else {
    events_.push(at, {SmEventKind::kOperationDone, 0, completion.producer, completion.warp, completion.pc});
  }
}

bool MemoryUnit::idle() const {
  const bool queued =
      std::any_of(queues_.begin(), queues_.end(), [](const SubCoreQueue& q) { return !q.accesses.empty(); });
  return !queued && remote_in_flight_ == 0 && tma_.idle() && port_.is_empty() && mshrs_.size() == 0 &&
         atomics_in_flight_ == 0;
}

}  // namespace gpusim::sm
