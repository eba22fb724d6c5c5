// SPDX-License-Identifier: MIT
#include "sim/machine/sm/fetch/front_end.h"

#include <algorithm>
#include <cassert>

#include "sim/machine/sm/warps/warp.h"
#include "sim/model/arch/sm_config.h"

namespace gpusim::sm {

FrontEnd::FrontEnd(const arch::SmConfig& config, InstructionL1& l1, std::uint32_t code_lines, SmEvents& events)
    : ideal_(config.front_end.model == arch::FrontEndModel::kIdeal),
      entries_(config.front_end.buffer_entries),
      fetch_latency_(config.front_end.fetch_latency),
      resolve_latency_(std::max(config.front_end.branch_latency, fetch_latency_) - fetch_latency_),
      sub_cores_(config.sub_cores),
      slots_(config.limits.warps_per_sm / config.sub_cores),
      l1_(l1),
      events_(events),
      l0s_(config.sub_cores, InstructionL0(config.front_end, code_lines)),
      buffers_(std::size_t{sub_cores_} * slots_) {
  assert(entries_ <= kMostEntries && sub_cores_ <= arch::kMostSubCores);
}

void FrontEnd::start(Warp& warp) {
  warp.steady = false;
  Buffer& buffer = buffer_of(warp);
  buffer = {};
  buffer.next = warp.op->place;
  buffer.starved = true;
  warp.waits.add(mask_of(Stall::kNoInstruction));
  turns_[warp.sub_core].hungry |= bit_of(warp);
}

void FrontEnd::stop(const Warp& warp) {
  turns_[warp.sub_core].hungry &= ~bit_of(warp);
  buffer_of(warp).blocked_until = 0;
}

void FrontEnd::follow_closely(Warp& warp, bool jumps, Cycle now) {
  Buffer& buffer = buffer_of(warp);
  if (jumps) {
    redirect(warp, buffer, now);
  } else if (warp.steady) {
    unfold(warp, buffer, now);
  } else {
    take_first(warp, buffer, now);
  }
}

/// The instruction to be fetched next is the first of a line that is not there.
void FrontEnd::unfold(Warp& warp, Buffer& buffer, Cycle now) {
  warp.steady = false;
  buffer.next = ahead_of(warp.op->place);
  buffer.line = kNoLine;
  buffer.starved = false;
  buffer.buffered = entries_ - 1;
  for (std::uint32_t i = 0; i < buffer.buffered; ++i) {
    buffer.arrivals[i] = now + 1 + i;  // each was there before it could have its turn
  }
  turns_[warp.sub_core].hungry |= bit_of(warp);
}

void FrontEnd::take_first(Warp& warp, Buffer& buffer, Cycle now) {
  assert(buffer.buffered > 0 && buffer.arrivals[0] <= now);
  std::copy(buffer.arrivals.begin() + 1, buffer.arrivals.begin() + buffer.buffered, buffer.arrivals.begin());
  --buffer.buffered;
  if (buffer.blocked_until == 0) {
    turns_[warp.sub_core].hungry |= bit_of(warp);
  }
  buffer.starved = buffer.buffered == 0;
  if (buffer.starved || buffer.arrivals[0] > now + 1) {
    warp.waits.add(mask_of(Stall::kNoInstruction));
  }
  if (!buffer.starved && buffer.arrivals[0] > now + 1) {
    push_event(SmEventKind::kInstruction, warp, buffer.arrivals[0]);
  }
}

/// A taken branch empties the buffer. Where it goes is known after resolve_latency_.
void FrontEnd::redirect(Warp& warp, Buffer& buffer, Cycle now) {
  warp.steady = false;
  buffer.next = warp.op->place;
  buffer.line = kNoLine;
  buffer.buffered = 0;
  buffer.starved = true;
  warp.waits.add(mask_of(Stall::kNoInstruction));
  const Cycle resolved = now + 1 + resolve_latency_;
  warp.stalls.note_end(Stall::kBranchResolving, resolved);
  warp.stalls.note_begin(Stall::kNoInstruction, resolved);
  block(warp, buffer, resolved);
}

void FrontEnd::block(const Warp& warp, Buffer& buffer, Cycle until) {
  buffer.blocked_until = until;
  turns_[warp.sub_core].hungry &= ~bit_of(warp);
  push_event(SmEventKind::kFetch, warp, until);
}

void FrontEnd::wake(const Warp& warp, Cycle now) {
  Buffer& buffer = buffer_of(warp);
  if (buffer.blocked_until != now) {
    return;  // it has jumped since, or another warp has the slot
  }
  buffer.blocked_until = 0;
  turns_[warp.sub_core].hungry |= bit_of(warp);
}

void FrontEnd::fetch_for(Warp& warp, Cycle now) {
  Buffer& buffer = buffer_of(warp);
  if (const std::uint32_t line = buffer.next / lower::kInstrsPerLine; line != buffer.line) {
    buffer.line = line;
    if (const Cycle arrival = l0s_[warp.sub_core].look_up(line, now, l1_, warp.slot); arrival > now) {
      block(warp, buffer, arrival);
      return;
    }
  }
  buffer.arrivals[buffer.buffered++] = now + fetch_latency_;
  ++buffer.next;
  if (buffer.buffered == entries_) {
    turns_[warp.sub_core].hungry &= ~bit_of(warp);
    warp.steady = is_steady(buffer, now);
  }
  if (buffer.starved) {
    buffer.starved = false;
    push_event(SmEventKind::kInstruction, warp, buffer.arrivals[0]);
  }
}

/// True if a full buffer never delays its warp: no entry comes after its first possible turn, and the same holds for
/// the entries that will replace them.
bool FrontEnd::is_steady(const Buffer& buffer, Cycle now) const {
  bool steady = entries_ > fetch_latency_;
  for (std::uint32_t i = 0; i < entries_; ++i) {
    steady = steady && buffer.arrivals[i] <= now + i;
  }
  return steady;
}

void FrontEnd::push_event(SmEventKind kind, const Warp& warp, Cycle at) {
  const auto slot = static_cast<std::uint16_t>(warp.slot * sub_cores_ + warp.sub_core);
  events_.push(at, SmEvent(kind, slot));
}

stats::FetchCounters FrontEnd::counters() const {
  stats::FetchCounters sum = l1_.counters();
  for (const InstructionL0& l0 : l0s_) {
    stats::add(sum, l0.counters());
  }
  return sum;
}

}  // namespace gpusim::sm
