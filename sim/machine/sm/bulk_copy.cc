// SPDX-License-Identifier: MIT
// Bulk copies: commands reach the TMA through the load/store unit, its lines share the request port with those of the
// warps, and what comes back is written into shared memory, a line a cycle of the banks. Loads go by L1; they end by a
// signal to their mbarrier. Stores are grouped by warp: a group's sources may be overwritten when all are read.
#include <algorithm>
#include <cassert>

#include "sim/machine/sm/memory_unit.h"

namespace gpusim::sm {
namespace {

using trace::AsyncAction;

bool is_store(AsyncAction action) {
  return action == AsyncAction::kStore || action == AsyncAction::kReduce;
}

}  // namespace

std::uint32_t MemoryUnit::execute_bulk(const Access& access, Cycle now) {
  if (access.async.action == AsyncAction::kNone) {
    return execute_other(access, now);  // of a trace that does not say what it copies
  }
  if (tma_.is_full()) {
    blocked_ = true;
    return 1;
  }
  release_sources(access, now);
  TmaCommand command;
  command.action = access.async.action;
  command.use = {access.origin.cta, access.async.barrier, access.op->pc};
  command.warp = access.origin.warp;
  command.tenant = warps_[access.origin.warp].tenant;
  command.bytes = access.async.bytes;
  command.atomic_type = access.op->atomic_type;
  command.lines = trace::BoxLines(access.async);
  if (is_store(command.action)) {
    command.read_group = join_open_group(warps_[command.warp].bulk_reads);
    command.write_group = join_open_group(warps_[command.warp].bulk_writes);
  }
  const std::uint32_t index = tma_.submit(command, now);
  if (access.async.multicast != 0) {
    announce_multicast(access, index);
  }
  wake_tma(tma_.ready_at(now + 1));
  return 1;
}

void MemoryUnit::wake_tma(Cycle at) {
  if (!tma_wakes_) {
    tma_wakes_ = true;
    events_.push(at, {SmEventKind::kTmaStep, 0, lower::ProducerClass::kShort, 0, 0});
  }
}

/// Sends what may be sent now. What keeps the next line, but for time, wakes the engine when it ends.
void MemoryUnit::step_tma(Cycle now) {
  while (!tma_.has_nothing_to_send()) {
    const std::uint32_t first = tma_.first();
    if (tma_.ready_at(now) > now) {
      wake_tma(tma_.ready_at(now));
      return;
    }
    if (!tma_[first].lines.done()) {
      if (!port_.has_bulk_room() || (!is_store(tma_[first].action) && tma_.is_saturated())) {
        return;
      }
      send_line(first, now);
    }
    if (tma_[first].lines.done()) {
      tma_.pop(now);
      asked_for_all(first, now);
    }
  }
}

void MemoryUnit::send_line(std::uint32_t index, Cycle now) {
  TmaCommand& command = tma_[index];
  const trace::LinePart part = command.lines.next();
  const auto sectors = msg::sector_count(part.sectors);
  LineAccess line;
  line.line = static_cast<decltype(line.line)>(part.line);
  line.sectors = part.sectors;
  line.full = part.full;
  msg::Kind kind = msg::Kind::kRead;
  l1_counters_.bulk_sectors += sectors;
  if (is_store(command.action)) {
    const bool adds = command.action == AsyncAction::kReduce;
    kind = adds ? msg::Kind::kReduction : msg::Kind::kWrite;
    (adds ? l1_counters_.atomic_sectors : l1_counters_.store_sectors) += sectors;
    shared_counters_.shared_read_bytes += part.bytes;
    command.done = std::max(command.done, take_banks(now) + shared_config_.latency - lsu_.address_latency);
  } else {
    l1_counters_.bypass_sectors += sectors;
    l1_counters_.fill_sectors += sectors;
    dsmem_counters_.multicast_asked_sectors += std::uint64_t{sectors} * command.other_ctas;
  }
  tma_.sent(index, now);
  msg::Message message = make_request(kind, line, kTmaToken + index);
  if (kind == msg::Kind::kReduction) {
    msg::set_atomic_work(message, {static_cast<std::uint8_t>(sectors), 1, command.atomic_type});
  }
  port_.push_bulk(message);
}

/// The last line of a command is on its way. A box outside the tensor has none.
void MemoryUnit::asked_for_all(std::uint32_t index, Cycle now) {
  TmaCommand& command = tma_[index];
  command.all_sent = true;
  command.done = std::max(command.done, now + 1);
  if (is_store(command.action)) {
    push_completion({command.warp, isa::kNoBarrier, lower::ProducerClass::kLong, command.use.pc}, command.done);
    copy_arrived(warps_[command.warp].bulk_reads, command.use.pc, command.read_group, command.done);
  }
  end_bulk_copy_if_done(index, now);
}

/// Data has come for a load, or for a prefetch, whose data ends here.
void MemoryUnit::bulk_line_arrived(std::uint32_t index, Cycle now) {
  if (tma_[index].action == AsyncAction::kLoad) {
    tma_[index].done = take_banks(now) + (l1_config_.hit_latency - lsu_.address_latency);
  }
  bulk_line_answered(index, now);
}

/// Of a store: its data is visible in L2.
void MemoryUnit::bulk_line_answered(std::uint32_t index, Cycle now) {
  tma_.answered(index);
  if (!tma_.has_nothing_to_send()) {
    wake_tma(now + 1);
  }
  end_bulk_copy_if_done(index, now);
}

void MemoryUnit::end_bulk_copy_if_done(std::uint32_t index, Cycle now) {
  const TmaCommand& command = tma_[index];
  if (!command.all_sent || command.under_way != 0) {
    return;
  }
  if (is_store(command.action)) {
    if (warps_[command.warp].tenant == command.tenant) {
      copy_arrived(warps_[command.warp].bulk_writes, command.use.pc, command.write_group, now + 1);
    }
  } else {
    if (command.action == AsyncAction::kLoad && command.delivers_here) {
      signal_bytes(command.use, command.bytes, command.done);
    }
    push_completion({command.warp, isa::kNoBarrier, lower::ProducerClass::kLong, command.use.pc}, command.done);
  }
  tma_.release(index);
}

/// A load has written all its bytes at `at`.
void MemoryUnit::signal_bytes(const MbarrierUse& use, std::uint64_t bytes, Cycle at) {
  shared_counters_.shared_write_bytes += bytes;
  const std::uint32_t signal = signals_.take({use, 0, bytes});
  events_.push(at, {SmEventKind::kMbarrierSignal, 0, lower::ProducerClass::kLong, 0, signal});
}

/// UTMACMDFLUSH. Its read counter is lowered when the group's sources have been read, its write counter when the group
/// is visible in global memory.
void MemoryUnit::commit_bulk_group(const Access& access, Cycle now) {
  WarpMemory& warp = warps_[access.origin.warp];
  const lower::WarpOp& op = *access.op;
  const auto completion = [&](std::uint8_t counter) {
    return Completion{access.origin.warp, counter, op.producer, op.pc};
  };
  if (op.read_barrier != isa::kNoBarrier) {
    commit_group(warp.bulk_reads, completion(op.read_barrier), now);
  }
  if (op.write_barrier != isa::kNoBarrier) {
    commit_group(warp.bulk_writes, completion(op.write_barrier), now);
  } else {
    complete_operation(access, now + 1);
  }
}

}  // namespace gpusim::sm
