// SPDX-License-Identifier: MIT
#include "sim/machine/mem/l2/partition.h"

#include <algorithm>
#include <cassert>
#include <ranges>
#include <utility>

#include "sim/base/prefetch.h"

namespace gpusim::mem::l2 {

MemoryPartition::MemoryPartition(msg::DomainId id, const arch::Arch& arch, const AddressMap& map,
                                 PartitionWiring wiring)
    : PartitionCore(id, arch, map, std::move(wiring)) {
  slices_.reserve(map.slices_per_partition());
  for (std::uint32_t i = 0; i < map.slices_per_partition(); ++i) {
    slices_.emplace_back(*this, static_cast<std::uint16_t>(i));
  }
}

void MemoryPartition::run_until(Cycle end) {
  prefetch_window(end);
  for (Cycle now = next_event(); now < end; now = next_event()) {
    receive(now, [this, now](const msg::Message& message) { handle(message, now); });
    pop_events(now, [this, now](const Event& event) { handle(event, now); });
  }
}

void MemoryPartition::prefetch() const {
  prefetch_core();
  gpusim::prefetch(slices_);
}

/// Everybody's turn comes once a window, and the machine is larger than the host's caches: without this, the host waits
/// for its memory at each step in turn. What leads to something else is fetched first.
void MemoryPartition::prefetch_window(Cycle end) const {
  prefetch_channels();
  for (const msg::Message& message : due()) {
    prefetch(slices_[slice_of(message)].expect(message));
  }
  preview_fills(end, [this](const Fetch& fetch) { prefetch(slices_[fetch.slice].expect(fetch)); });
  prefetch_channel_queues();
}

std::uint32_t MemoryPartition::slice_of(const msg::Message& message) const {
  const std::uint32_t slice =
      (Slice::is_answer(message) ? message.requester : message.slice) - wiring().index * map().slices_per_partition();
  assert(slice < slices_.size());
  return slice;
}

void MemoryPartition::handle(const msg::Message& message, Cycle now) {
  Slice& slice = slices_[slice_of(message)];
  if (Slice::is_answer(message)) {
    slice.accept_answer(message, now);
  } else {
    slice.accept(message, now);
  }
}

void MemoryPartition::handle(const Event& event, Cycle now) {
  switch (event.work) {
    case Work::kSendFar: depart_far(take_message(event.slot), now); break;
    case Work::kChannel: handle_channel(event.index, now); break;
    case Work::kFill: {
      const Fetch fetch = take_fetch(event.slot);
      slices_[fetch.slice].fill(fetch, now);
      break;
    }
    default: slices_[event.index].handle(event, now);
  }
}

Touched MemoryPartition::touch(const msg::Message& message, const Expected& tags) {
  return slices_[tags.slice].touch(message, tags.line);
}

void MemoryPartition::drop_copy(std::uint32_t slice, Address address) {
  slices_[slice - wiring().index * map().slices_per_partition()].drop_copy(address);
}

void MemoryPartition::reset_timing() {
  assert(idle());
  restart_core();
  for (Slice& slice : slices_) {
    slice.restart();
  }
}

void MemoryPartition::invalidate_all() {
  assert(idle());
  for (Slice& slice : slices_) {
    slice.invalidate_all();
  }
}

stats::L2Counters MemoryPartition::l2_counters() const {
  stats::L2Counters sum;
  for (const Slice& slice : slices_) {
    stats::add(sum, slice.counters());
  }
  return sum;
}

Cycle MemoryPartition::last_atomic() const {
  return std::ranges::max(slices_ | std::views::transform(&Slice::last_atomic));
}

bool MemoryPartition::idle() const {
  return is_core_idle() &&
         std::all_of(slices_.begin(), slices_.end(), [](const Slice& slice) { return slice.leftovers().empty(); });
}

std::string MemoryPartition::drain_problem() const {
  std::string text;
  for (const Slice& slice : slices_) {
    text += slice.leftovers();
  }
  if (!is_core_idle()) {
    text += "partition " + std::to_string(wiring().index) + ": messages, DRAM requests or events left\n";
  }
  const stats::L2Counters sum = l2_counters();
  if (sum.read_hits + sum.read_misses != sum.read_sectors || sum.far_hits + sum.far_misses != sum.far_sectors) {
    text += "partition " + std::to_string(wiring().index) + ": hits and misses do not add up to sectors\n";
  }
  return text;
}

}  // namespace gpusim::mem::l2
