// SPDX-License-Identifier: MIT
#include "sim/machine/sm/memory_unit.h"

#include <algorithm>
#include <cassert>

#include "sim/machine/sm/event/completion.h"
#include "sim/machine/sm/memory/ideal_access.h"
#include "sim/machine/sm/memory/reply_token.h"
#include "sim/model/arch/arch.h"
#include "sim/model/stats/counter_blocks.h"
#include "sim/model/trace/walker.h"

namespace gpusim::sm {
namespace {

using isa::MemSpace;
using isa::OpKind;

bool is_of_tma(const msg::Message& reply) {
  return ReplyToken::of(reply).kind() == ReplyToken::Kind::kTma;
}

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

}  // namespace

MemoryUnit::MemoryUnit(const arch::Arch& arch, const SmPlace& place, const Tenancy& tenancy, ConstantCaches& constants,
                       SmEvents& events)
    : timing_(arch.sm),
      l1_stage_{arch.sm.l1.tag_lines_per_cycle, arch.sm.l1.data_bytes_per_cycle},
      ideal_banks_(arch.sm.shared.model == arch::SharedModel::kIdeal),
      ideal_coalescing_(arch.sm.lsu.coalescing == arch::Coalescing::kIdeal),
      constants_(constants),
      events_(events),
      lsu_(arch.sm, timing_, stage_, events),
      shared_(arch.sm, timing_, stage_, events),
      // Room for the lines of one access of the widest kind: an access leaves the load/store unit as a whole.
      port_(arch.noc, place, kMaxGlobalLines, events),
      writes_(arch.sm.limits.warps_per_sm, arch.sm.fence_window, events),
      copies_(arch.sm.limits.warps_per_sm, events),
      l1_(arch.sm, place, tenancy.l1_bytes - arch.sm.l1.reserved_bytes, tenancy.kernel->local,
          {timing_, stage_, shared_, port_, writes_, copies_, events}),
      sync_(arch.sm, *tenancy.kernel, tenancy.ctas, timing_, copies_, events),
      bulk_(arch.sm, place.index, {timing_, shared_, port_, writes_, sync_, events}),
      dsmem_(arch.sm, place.index, {timing_, shared_, writes_, sync_, events}) {}

void MemoryUnit::begin_warp(std::uint16_t warp) {
  writes_.begin_warp(warp);
  copies_.begin_warp(warp);
  sync_.begin_warp(warp);
  bulk_.begin_warp(warp);
  dsmem_.begin_warp(warp);
}

std::uint32_t MemoryUnit::operations(const lower::WarpOp& op) {
  const std::uint32_t sources = op.read_barrier == isa::kNoBarrier ? 0 : 1;
  // A write also ends when its data has left the SM, whatever counter it increments. That of local memory stays.
  const bool leaves =
      is_global(op.space) && !is_local_access(op) && (op.kind == OpKind::kStore || op.kind == OpKind::kReduction);
  const std::uint32_t also_counted = leaves && op.write_barrier != isa::kNoBarrier ? 1 : 0;
  return 1 + sources + also_counted;
}

void MemoryUnit::accept(const lower::WarpOp& op, const Origin& origin, const LaneSource& lanes, stats::PcCounters& row,
                        Cycle now) {
  Access& access = lsu_.accept(op, origin, now);
  coalesce(access, lanes);
  if (is_global(op.space) && access.global.sectors != 0) {
    ++row.memory_requests;
    row.memory_sectors += access.global.sectors;
    row.memory_ideal_sectors += access.global.ideal_sectors();
  }
  if (access.shared.wavefronts != 0) {
    row.shared_wavefronts += access.shared.wavefronts;
    row.shared_ideal_wavefronts += access.shared.ideal_wavefronts;
  }
}

/// What becomes of the lanes' addresses.
void MemoryUnit::coalesce(Access& access, const LaneSource& lanes) {
  const lower::WarpOp& op = *access.op;
  const bool packs = op.kind == OpKind::kLoad;
  const AccessWidth width{op.bytes_per_lane, op.matrices, data_path(op), op.serial_lanes, packs};
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
    if (access.is_remote_mbarrier()) {
      dsmem_.accept_mbarrier(access);
    } else if (trace::is_move(access.async.action) && !op.of_cluster) {
      access.async.action = trace::AsyncAction::kNone;  // a damaged recording: the instruction names no other CTA
    }
  } else if (op.space == MemSpace::kShared) {
    access.shared = lanes.bank_conflicts.passes_of(lanes.walker.addresses(trace::AccessSlot::kPrimary), mask, width);
  } else if (op.space == MemSpace::kClusterShared) {
    dsmem_.coalesce(access, lanes, width);
  } else if (is_local_access(op)) {
    trace::LaneAddresses of_threads = lanes.walker.addresses(trace::AccessSlot::kPrimary);
    of_threads.base += l1_.frames().zero_of(access.origin.warp);
    lanes.coalescer.coalesce(of_threads, mask, width, l1_stage_, access.global);
  } else if (is_global(op.space)) {
    const trace::LaneAddresses& addresses = lanes.walker.addresses(trace::AccessSlot::kPrimary);
    if (addresses.is_nowhere) [[unlikely]] {
      access.global.wavefronts = 1;  // it passes through
      access.global.bytes = 0;
    } else {
      lanes.coalescer.coalesce(addresses, mask, width, l1_stage_, access.global);
      if (ideal_coalescing_ && width.path != DataPath::kAtomics) {
        coalesce_ideally(addresses, mask, width, l1_stage_, access.global);
      }
    }
    if (op.kind == OpKind::kAsyncCopy) {
      access.shared =
          lanes.bank_conflicts.passes_of(lanes.walker.addresses(trace::AccessSlot::kSharedDestination), mask, width);
    } else if (op.kind == OpKind::kStore || op.kind == OpKind::kReduction) {
      writes_.add(access.origin.warp, access.global.line_count);
    }
  }
  if (ideal_banks_) {
    access.shared.wavefronts = access.shared.ideal_wavefronts;
    access.shared.unpacked_wavefronts = access.shared.ideal_wavefronts;
  }
}

/// What a common access takes is inlined into it; what rarer ones take besides is called.
[[gnu::flatten]] std::uint32_t MemoryUnit::handle(const SmEvent& event, Cycle now) {
  switch (event.kind) {
    case SmEventKind::kAddressReady: lsu_.address_ready(event.as<SubCoreEvent>().sub_core); break;
    case SmEventKind::kLsuFree: lsu_.woken(); break;
    case SmEventKind::kMbarrierSignal: sync_.signal(event.as<SignalDue>().signal, now); break;
    case SmEventKind::kTmaStep:
      bulk_.step(now);
      for (const MovedLine& line : bulk_.moved()) {
        dsmem_.send_moved(line);
      }
      bulk_.moved().clear();
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

[[gnu::flatten]] std::uint32_t MemoryUnit::handle(const msg::Message& message, Cycle now) {
  switch (message.kind()) {
    case msg::Kind::kReadReply:
      if (is_of_tma(message)) {
        bulk_.fill(message, now);
      } else if (l1_.fill(message, now)) {
        pump(now);
      }
      break;
    case msg::Kind::kWriteAck: {
      const ReplyToken token = ReplyToken::of(message);
      writes_.note_acknowledged(now);
      if (token.kind() == ReplyToken::Kind::kTma) {
        bulk_.acknowledge(token, now);
      } else {
        writes_.acknowledge(token, now);
      }
      break;
    }
    case msg::Kind::kSmCredit:
      port_.add_credits(message.as<msg::SmCredit>().places, now);
      pump(now);
      break;
    default: assert(false && "not a message for the memory unit");
  }
  return lsu_.is_blocked() ? serve(now) : 0;
}

std::uint32_t MemoryUnit::handle_dsmem(const msg::Message& message, Cycle now) {
  if (const std::optional<std::uint32_t> command = dsmem_.handle(message, now)) {
    bulk_.move_answered(*command, now);
  }
  return lsu_.is_blocked() ? serve(now) : 0;
}

std::uint32_t MemoryUnit::serve(Cycle now) {
  return lsu_.serve(now, [this, now](const Access& access) {
    const bool is_in_vain = lsu_.is_blocked() && l1_.still_lacks_place();
    const Executed executed = is_in_vain ? Executed{0, false} : execute(access, now);
    if (executed.done) {
      note_entered(access, executed.cycles, now);
    }
    pump(now);
    return executed;
  });
}

void MemoryUnit::note_entered(const Access& access, std::uint32_t cycles, Cycle now) {
  const lower::WarpOp& op = *access.op;
  const bool is_of_l1 = is_global(op.space);
  const bool is_counted_as_local = is_local_access(op) && op.kind == OpKind::kStore;
  const bool is_shared = op.space == MemSpace::kShared || op.kind == OpKind::kAsyncCopy;
  entered_ = {now, cycles, is_of_l1 && !is_counted_as_local ? access.global.sectors : 0,
              is_of_l1 ? access.global.wavefronts : 0, is_shared ? access.shared.wavefronts : 0};
}

Executed MemoryUnit::execute(const Access& access, Cycle now) {
  const lower::WarpOp& op = *access.op;
  if (access.origin.mask == 0) {
    return execute_empty(access, now);
  }
  switch (op.kind) {
    case OpKind::kAsyncCommit:
    case OpKind::kBulkCommit:
    case OpKind::kTensorCopy:
    case OpKind::kMbarrier:
    case OpKind::kPoll:
    case OpKind::kRegisterPool: return execute_engine(access, now);
    default: break;
  }
  switch (op.space) {
    case MemSpace::kGlobal:
    case MemSpace::kLocal: return l1_.execute(access, now);
    case MemSpace::kShared: return {shared_.execute(access, now)};
    case MemSpace::kClusterShared: return dsmem_.execute(access, now);
    default: return execute_other(access, now);
  }
}

/// What speaks to the TMA, to mbarriers, or to a register pool.
[[gnu::noinline]] Executed MemoryUnit::execute_engine(const Access& access, Cycle now) {
  const lower::WarpOp& op = *access.op;
  switch (op.kind) {
    case OpKind::kAsyncCommit:
      release_sources(events_, op, access.origin.warp, now);
      copies_.commit({access.origin.warp, op.write_barrier, op.producer, op.pc}, now);
      return {};
    case OpKind::kBulkCommit: bulk_.commit_group(access, now); return {};
    case OpKind::kTensorCopy:
      // A trace may not say what it copies.
      return access.async.action == trace::AsyncAction::kNone ? execute_other(access, now) : bulk_.execute(access, now);
    default:
      return access.is_remote_mbarrier() ? dsmem_.execute_mbarrier(access, now) : Executed{sync_.execute(access, now)};
  }
}

/// No lane takes part: the instruction passes through and lowers its counters.
[[gnu::noinline]] Executed MemoryUnit::execute_empty(const Access& access, Cycle now) {
  const lower::WarpOp& op = *access.op;
  release_sources(events_, op, access.origin.warp, now);
  push_completion(events_, completion_of(op, access.origin.warp), now + 1);
  const bool both = operations(op) > (op.read_barrier == isa::kNoBarrier ? 1U : 2U);
  if (both) {
    push_completion(events_, {access.origin.warp, isa::kNoBarrier, op.producer, lower::kNoProducer}, now + 1);
  }
  return {};
}

/// Shuffles (32 results a cycle on every GPU), special registers, constant loads: no bank; the class's latency, and of
/// a constant that of a line which is missing. A constant load whose address is in registers keeps them until its data
/// is there (29 cycles both; 10 and 26 with an immediate, Huerta et al.).
Executed MemoryUnit::execute_other(const Access& access, Cycle now) {
  const lower::WarpOp& op = *access.op;
  const bool is_constant = op.space == MemSpace::kConstant;
  const Cycle missing = op.constant == 0 ? 0 : constants_.load(op.constant, now) - now;
  const Cycle done =
      now + missing +
      (is_constant ? timing_.cycles_in_unit(op, op.latency, kGlobalAddressRegisters) : timing_.left_of(op.latency));
  release_sources(events_, op, access.origin.warp, !is_constant ? now : op.address_registers > 0 ? done : now + 1);
  push_completion(events_, completion_of(op, access.origin.warp), done);
  return {};
}

void MemoryUnit::pump(Cycle now) {
  port_.pump(now);
  bulk_.port_moved(now);
}

void MemoryUnit::prefetch(std::span<const msg::Message> messages) const {
  l1_.prefetch(messages);
  lsu_.prefetch_next();
  l1_.prefetch_loads(messages);
}

std::uint16_t MemoryUnit::warp_of(const msg::Message& reply) const {
  return is_of_tma(reply) ? bulk_.warp_of(reply) : l1_.warp_of(reply);
}

StageWork MemoryUnit::ahead(Cycle now) const {
  StageWork ahead{0, 0, shared_.passes_ahead(now)};
  if (const Cycle end = entered_.begin + entered_.cycles; end > now) {
    const Cycle left = end - std::max(now, entered_.begin);
    ahead.l1_sectors += entered_.l1_sectors * left / entered_.cycles;
    ahead.l1_wavefronts += entered_.l1_wavefronts * left / entered_.cycles;
    ahead.shared_wavefronts += entered_.shared_wavefronts * left / entered_.cycles;
  }
  return ahead;
}

bool MemoryUnit::idle() const {
  return lsu_.idle() && dsmem_.idle() && bulk_.idle() && port_.is_empty() && l1_.idle();
}

stats::L1Counters MemoryUnit::l1_counters() const {
  stats::L1Counters sum = l1_.counters();
  stats::add(sum, bulk_.l1_counters());
  return sum;
}

void MemoryUnit::add_to(stats::CounterBlocks& blocks, Cycle end) const {
  stats::add(blocks.l1, l1_counters());
  stats::add(blocks.local, l1_.local_counters());
  stats::add(blocks.dsmem, dsmem_.counters());
  stats::add(blocks.dsmem, bulk_.dsmem_counters());
  port_.add_to(blocks.noc, end);
}

}  // namespace gpusim::sm
