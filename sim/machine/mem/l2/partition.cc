// SPDX-License-Identifier: MIT
#include "sim/machine/mem/l2/partition.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include "sim/machine/mem/dram/bus_series.h"
#include "sim/model/arch/arch.h"

namespace gpusim::mem::l2 {

MemoryPartition::MemoryPartition(msg::DomainId id, const arch::Arch& arch, const AddressMap& map,
                                 PartitionWiring wiring)
    : Domain(id),
      arch_(arch),
      map_(map),
      ports_(arch.noc, std::move(wiring), outlet(), calendar_),
      dram_(arch, map, ports_.wiring().index, calendar_),
      first_slice_(ports_.wiring().index * map.slices_per_partition()) {
  slices_.reserve(map.slices_per_partition());
  for (std::uint32_t i = 0; i < map.slices_per_partition(); ++i) {
    slices_.emplace_back(Slice::Shared{arch, map_, window_, calendar_, ports_, dram_}, static_cast<std::uint16_t>(i));
  }
}

/// What a common request takes is inlined into it; what rarer ones take besides is called.
[[gnu::flatten]] void MemoryPartition::run_until(Cycle end) {
  for (Cycle now = next_event(); now < end; now = next_event()) {
    receive(now, [this, now](const msg::Message& message) { handle(message, now); });
    if (calendar_.next_time() == now) {
      calendar_.pop_all(now, [this, now](const Event& event) { handle(event, now); });
    }
  }
}

std::uint32_t MemoryPartition::slice_of(const msg::Message& message) const {
  const std::uint32_t slice =
      (Slice::is_answer(message) ? message.as<msg::FarAccess>().asking_slice : message.as<msg::L2Access>().slice) -
      first_slice_;
  assert(slice < slices_.size());
  return slice;
}

void MemoryPartition::handle(const msg::Message& message, Cycle now) {
  Slice& slice = slices_[slice_of(message)];
  if (Slice::is_answer(message)) {
    slice.accept_answer(message, now);
  } else {
    slice.accept({message, map_.slice_line(message.as<msg::L2Access>().address)}, now);
  }
}

void MemoryPartition::handle(const Event& event, Cycle now) {
  switch (event.work) {
    case Work::kSendFar: ports_.send_waiting(event.slot, now); break;
    case Work::kChannel: dram_.handle_channel(event.index, now); break;
    case Work::kFill: {
      const Fetch fetch = dram_.take_fetch(event.slot);
      slices_[fetch.slice].fill(fetch, now);
      break;
    }
    case Work::kMerge: dram_.merge(event.slot, now); break;
    case Work::kServe: slices_[event.index].serve(now); break;
    case Work::kLookUp: slices_[event.index].look_up(event.slot, now); break;
    case Work::kWake: slices_[event.index].wake(now); break;
    case Work::kResume: slices_[event.index].resume(now); break;
    case Work::kAtomic: slices_[event.index].finish_atomic(event.slot, now); break;
  }
}

void MemoryPartition::invalidate_copy(std::uint32_t slice, Address address) {
  slices_[slice - first_slice_].invalidate_copy(address);
}

void MemoryPartition::reset_timing() {
  assert(idle());
  restart();
  calendar_ = Calendar();
  ports_.restart();
  dram_.restart();
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

void MemoryPartition::record_traffic(bool on) {
  l2_series_ = on ? std::make_unique<stats::TrafficSeries>(arch_.l2.slice_bytes_per_cycle) : nullptr;
  for (Slice& slice : slices_) {
    slice.record(l2_series_.get());
  }
  dram_.record(on ? std::make_unique<dram::BusSeries>(arch_.dram, arch_.clocks.sm) : nullptr);
}

void MemoryPartition::add_to(stats::IntervalTable<stats::TrafficCounters>& traffic) const {
  if (l2_series_ != nullptr) {
    traffic.merge(l2_series_->table());
    traffic.merge(dram_.series()->table());
  }
}

stats::NocCounters MemoryPartition::noc_counters(Cycle end) const {
  stats::NocCounters counters;
  for (const Slice& slice : slices_) {
    slice.add_to(counters, end);
  }
  ports_.add_to(counters, end);
  dram_.add_to(counters, end);
  return counters;
}

stats::L2Counters MemoryPartition::l2_counters() const {
  stats::L2Counters sum;
  for (const Slice& slice : slices_) {
    stats::add(sum, slice.counters());
  }
  return sum;
}

Cycle MemoryPartition::last_atomic() const {
  return std::ranges::max_element(slices_, {}, &Slice::last_atomic)->last_atomic();
}

bool MemoryPartition::idle() const {
  return next_event() == kNever && ports_.idle() && dram_.idle() &&
         std::all_of(slices_.begin(), slices_.end(), [](const Slice& slice) { return slice.leftovers().empty(); });
}

std::string MemoryPartition::drain_problem() const {
  std::string text;
  for (const Slice& slice : slices_) {
    text += slice.leftovers();
  }
  if (next_event() != kNever || !ports_.idle() || !dram_.idle()) {
    text +=
        "partition " + std::to_string(ports_.wiring().index) + ": " +
        (next_message() != kNever ? "messages until cycle " + std::to_string(next_message()) + " " : "") +
        (calendar_.next_time() != kNever ? "events from cycle " + std::to_string(calendar_.next_time()) + " " : "") +
        (ports_.idle() ? "" : "messages for the other half ") + dram_.leftovers() + "left\n";
  }
  const stats::L2Counters sum = l2_counters();
  if (sum.read_hits + sum.read_misses != sum.read_sectors || sum.far_hits + sum.far_misses != sum.far_sectors) {
    text += "partition " + std::to_string(ports_.wiring().index) + ": hits and misses do not add up to sectors\n";
  }
  return text;
}

}  // namespace gpusim::mem::l2
