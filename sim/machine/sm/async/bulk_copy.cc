// SPDX-License-Identifier: MIT
#include "sim/machine/sm/async/bulk_copy.h"

#include <algorithm>
#include <cassert>

#include "sim/machine/sm/memory/reply_token.h"

namespace gpusim::sm {
namespace {

using trace::AsyncAction;

bool is_store(AsyncAction action) {
  return action == AsyncAction::kStore || action == AsyncAction::kReduce;
}

}  // namespace

BulkCopyUnit::BulkCopyUnit(const arch::SmConfig& sm, std::uint16_t sm_index, const BulkCopyWiring& wiring)
    : wiring_(wiring),
      sm_index_(sm_index),
      tma_(sm.tma),
      reads_(sm.limits.warps_per_sm, wiring.events),
      writes_(sm.limits.warps_per_sm, wiring.events) {}

void BulkCopyUnit::begin_warp(std::uint16_t warp) {
  reads_.begin_warp(warp);
  writes_.begin_warp(warp);
}

Executed BulkCopyUnit::execute(const Access& access, Cycle now) {
  if (tma_.is_full()) {
    return {1, false};
  }
  release_sources(wiring_.events, *access.op, access.origin.warp, now);
  TmaCommand command;
  command.action = access.async.action;
  command.use = {access.origin.cta, access.async.barrier, access.op->pc};
  command.warp = access.origin.warp;
  command.write_token = wiring_.writes.token_of(command.warp);
  command.bytes = access.async.bytes;
  command.atomic_type = access.op->atomic_type;
  command.lines = trace::BoxLines(access.async);
  if (is_store(command.action)) {
    command.read_group = reads_.join(command.warp);
    command.write_group = writes_.join(command.warp);
  }
  command.target = access.origin.dsmem;
  command.target.barrier = access.async.barrier;
  const std::uint32_t index = tma_.submit(command, now);
  if (access.async.multicast != 0) {
    announce_multicast(access, index);
  }
  wake(tma_.ready_at(now + 1));
  return {};
}

void BulkCopyUnit::wake(Cycle at) {
  if (!wakes_) {
    wakes_ = true;
    wiring_.events.push(at, SmEvent(SmEventKind::kTmaStep));
  }
}

void BulkCopyUnit::step(Cycle now) {
  wakes_ = false;
  while (!tma_.has_nothing_to_send()) {
    const std::uint32_t first = tma_.first();
    if (tma_.ready_at(now) > now) {
      wake(tma_.ready_at(now));
      return;
    }
    if (!tma_[first].lines.done()) {
      if (!may_send(tma_[first])) {
        return;
      }
      trace::is_move(tma_[first].action) ? move_line(first, now) : send_line(first, now);
    }
    if (tma_[first].lines.done()) {
      tma_.pop(now);
      asked_for_all(first, now);
    }
  }
}

bool BulkCopyUnit::may_send(const TmaCommand& command) const {
  const bool has_room = trace::is_move(command.action) || wiring_.port.has_bulk_room();
  return has_room && (is_store(command.action) || !tma_.is_saturated());
}

/// Reads a line of the shared memory here. It leaves when it has been read.
void BulkCopyUnit::move_line(std::uint32_t index, Cycle now) {
  TmaCommand& command = tma_[index];
  const trace::LinePart part = command.lines.next();
  wiring_.shared.count_read(part.bytes);
  const Cycle read = wiring_.shared.read_at(wiring_.shared.take_pass(now));
  command.done = std::max(command.done, read);
  tma_.sent(index, now);
  const bool adds = command.action == AsyncAction::kMoveReduce;
  moved_.push_back({command.target, index, part.bytes, part.sectors, adds, !command.has_moved, read});
  command.has_moved = true;
}

void BulkCopyUnit::send_line(std::uint32_t index, Cycle now) {
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
    wiring_.shared.count_read(part.bytes);
    command.done = std::max(command.done, wiring_.shared.read_at(wiring_.shared.take_pass(now)));
  } else {
    l1_counters_.bypass_sectors += sectors;
    l1_counters_.fill_sectors += sectors;
    ++l1_counters_.read_requests;
    dsmem_counters_.multicast_asked_sectors += std::uint64_t{sectors} * command.other_ctas;
  }
  tma_.sent(index, now);
  msg::Message message = wiring_.port.make_request(kind, line, ReplyToken::tma(index));
  if (kind == msg::Kind::kRead) {
    message.as<msg::L2Access>().is_bulk = command.other_ctas == 0 ? 1 : 0;
  } else if (kind == msg::Kind::kReduction) {
    message.as<msg::L2Access>().atomic = {static_cast<std::uint8_t>(sectors), 1, command.atomic_type};
  }
  wiring_.port.push_bulk(message);
}

/// The last line of a command is on its way. A box outside the tensor has none.
void BulkCopyUnit::asked_for_all(std::uint32_t index, Cycle now) {
  TmaCommand& command = tma_[index];
  command.all_sent = true;
  command.done = std::max(command.done, now + 1);
  if (is_store(command.action) || trace::is_move(command.action)) {
    push_completion(wiring_.events, {command.warp, isa::kNoBarrier, lower::ProducerClass::kLong, command.use.pc},
                    command.done);
  }
  if (is_store(command.action)) {
    reads_.arrived(command.warp, command.read_group, command.use.pc, command.done);
  }
  end_if_done(index, now);
}

/// Data has come for a load, or for a prefetch, whose data ends here.
void BulkCopyUnit::fill(const msg::Message& reply, Cycle now) {
  l1_counters_.reply_sectors += msg::sector_count(reply.sectors);
  const std::uint32_t index = ReplyToken::of(reply).index();
  if (tma_[index].action == AsyncAction::kLoad) {
    tma_[index].done = wiring_.shared.take_pass(now) + wiring_.timing.through_l1();
  }
  line_answered(index, now);
}

void BulkCopyUnit::acknowledge(ReplyToken token, Cycle now) {
  line_answered(token.index(), now);
}

void BulkCopyUnit::line_answered(std::uint32_t index, Cycle now) {
  tma_.answered(index);
  if (!tma_.has_nothing_to_send()) {
    wake(now + 1);
  }
  end_if_done(index, now);
}

void BulkCopyUnit::end_if_done(std::uint32_t index, Cycle now) {
  const TmaCommand& command = tma_[index];
  if (!command.all_sent || command.under_way != 0) {
    return;
  }
  if (!is_store(command.action)) {
    if (!trace::is_move(command.action)) {
      end_load(command);
    }
  } else if (wiring_.writes.is_there(command.write_token)) {
    writes_.arrived(command.warp, command.write_group, command.use.pc, now + 1);
  }
  tma_.release(index);
}

void BulkCopyUnit::end_load(const TmaCommand& command) {
  if (command.action == AsyncAction::kLoad && command.delivers_here) {
    wiring_.shared.count_written(command.bytes);
    if (command.use.barrier != trace::AsyncOperands::kNoBarrier) {
      wiring_.sync.signal_bytes(command.use, command.bytes, command.done);
    }
  }
  push_completion(wiring_.events, {command.warp, isa::kNoBarrier, lower::ProducerClass::kLong, command.use.pc},
                  command.done);
}

void BulkCopyUnit::commit_group(const Access& access, Cycle now) {
  const lower::WarpOp& op = *access.op;
  const std::uint16_t warp = access.origin.warp;
  if (op.read_barrier != isa::kNoBarrier) {
    reads_.commit({warp, op.read_barrier, op.producer, op.pc}, now);
  }
  if (op.write_barrier != isa::kNoBarrier) {
    writes_.commit({warp, op.write_barrier, op.producer, op.pc}, now);
  } else {
    push_completion(wiring_.events, completion_of(op, warp), now + 1);
  }
}

std::uint16_t BulkCopyUnit::warp_of(const msg::Message& reply) const {
  return tma_[ReplyToken::of(reply).index()].warp;
}

}  // namespace gpusim::sm
