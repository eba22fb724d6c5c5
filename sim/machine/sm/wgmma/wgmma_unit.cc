// SPDX-License-Identifier: MIT
#include "sim/machine/sm/wgmma/wgmma_unit.h"

#include <algorithm>

#include "sim/machine/sm/memory/shared_memory.h"
#include "sim/model/arch/sm_config.h"

namespace gpusim::sm {

void WgmmaUnit::issue(Warp& warp, Cycle now) {
  const lower::WarpOp& op = *warp.op;
  if (warp.next->mask == 0) {
    return;  // its guard is false
  }
  ++warp.in_flight.edit();
  WgmmaInFlight& own = warp.wgmma.edit();
  ++own.operations;
  own.groups = static_cast<std::uint16_t>(own.groups + (op.closes_group ? 1 : 0));
  const bool was_idle = queue_.front() == nullptr;
  queue_.issue(op, origin_of(warp));
  if (was_idle && queue_.front() != nullptr) {
    begin(now);
  }
}

void WgmmaUnit::begin(Cycle now) {
  const lower::WarpOp& op = *queue_.front()->op;
  begin_ = now;
  shared_wavefronts_before_ = shared_.counters().shared_wavefronts;
  events_.push(now + std::max({1U, op.latency, op.shared_wavefronts}), SmEvent(SmEventKind::kWgmmaDone));
  if (result_latency_ != 0) {
    to_write_.push_back(op.write_period);
    events_.push(now + result_latency_, SmEvent(SmEventKind::kWgmmaWrites));
  }
}

void WgmmaUnit::begin_writes(Cycle now) {
  ++writing_;
  for (std::uint32_t i = 0; i < cores_.size(); ++i) {
    cores_[i].registers().begin_tensor_writes(now, to_write_.front());
  }
  to_write_.pop_front();
}

void WgmmaUnit::note_written() {
  if (--writing_ != 0) {
    return;
  }
  for (std::uint32_t i = 0; i < cores_.size(); ++i) {
    cores_[i].registers().end_tensor_writes();
  }
}

/// Whether shared memory has had time for its operands beside other accesses, which it takes turns with; if not, looks
/// again when it has.
bool WgmmaUnit::is_through(Cycle now) {
  const lower::WarpOp& op = *queue_.front()->op;
  const std::uint64_t others = shared_.counters().shared_wavefronts - shared_wavefronts_before_;
  const std::uint64_t in_turn = std::min<std::uint64_t>(others, op.shared_wavefronts);
  if (const Cycle due = begin_ + op.shared_wavefronts + in_turn; due > now) {
    events_.push(due, SmEvent(SmEventKind::kWgmmaDone));
    return false;
  }
  ++counters_.shared_requests;
  counters_.shared_wavefronts += op.shared_wavefronts;
  counters_.shared_ideal_wavefronts += op.shared_wavefronts;
  counters_.shared_read_bytes += std::uint64_t{op.shared_wavefronts} * kSharedBytesPerCycle;
  return true;
}

std::uint64_t WgmmaUnit::wavefronts_so_far(Cycle now, std::uint64_t ahead) const {
  if (queue_.front() == nullptr) {
    return 0;
  }
  const std::uint64_t counted = shared_.counters().shared_wavefronts - shared_wavefronts_before_;
  const std::uint64_t others = counted - std::min(counted, ahead);
  const Cycle since = now - std::min(now, begin_);
  return std::min<std::uint64_t>(queue_.front()->op->shared_wavefronts,
                                 since - std::min<std::uint64_t>(others, since / 2));
}

/// The warp goes on if it waited for what `op` has freed.
void WgmmaUnit::wake(Warp& warp, const lower::WarpOp& op, Cycle now) {
  if ((warp.waits & mask_of(Stall::kGmma)) != 0 && allows(warp)) {
    cores_.end_stall(warp, Stall::kGmma, now, op.pc);
  }
}

void WgmmaUnit::make_room(Warp& warp, const lower::WarpOp& op, Cycle now) {
  --warp.wgmma.edit().operations;
  wake(warp, op, now);
}

void WgmmaUnit::end_for(Warp& warp, const lower::WarpOp& op, Cycle now) {
  WgmmaInFlight& own = warp.wgmma.edit();
  own.groups = static_cast<std::uint16_t>(own.groups - (op.closes_group ? 1 : 0));
  wake(warp, op, now);
}

}  // namespace gpusim::sm
