// SPDX-License-Identifier: MIT
#include "sim/machine/mem/l2/core.h"

#include <cassert>
#include <utility>

namespace gpusim::mem::l2 {
namespace {

RateServer link_of(const arch::Arch& arch) {
  return RateServer(Ratio::of(1, arch.noc.partition_link_bytes_per_cycle));
}

}  // namespace

PartitionCore::PartitionCore(msg::DomainId id, const arch::Arch& arch, const AddressMap& map, PartitionWiring wiring)
    : Domain(id),
      arch_(arch),
      map_(map),
      wiring_(std::move(wiring)),
      has_ports_(arch.noc.model != arch::NocModel::kIdeal),
      link_(link_of(arch)),
      waiting_writes_(map.slices_per_partition()) {
  channels_.reserve(map.channels_per_partition());
  for (std::uint32_t i = 0; i < map.channels_per_partition(); ++i) {
    channels_.push_back({DramPort(arch_), kNever});
  }
  for (std::size_t i = 1; arch.dram.row_bus == arch::RowBus::kShared && i < channels_.size(); i += 2) {
    channels_[i - 1].port.share_row_bus(channels_[i].port);
  }
}

void PartitionCore::send_far(const msg::Message& message, Cycle ready, Cycle now) {
  if (ready > now) {
    schedule(ready, {Work::kSendFar, 0, 0}, message);
  } else {
    depart_far(message, now);
  }
}

void PartitionCore::depart_far(const msg::Message& message, Cycle now) {
  Cycle start = now;
  if (has_ports_) {
    start = link_.free_at(now);
    link_.take(start, msg::wire_bytes(message, arch_.noc.request_header_bytes));
  }
  send(wiring_.mirror, start + arch_.noc.partition_link_latency, message);
}

void PartitionCore::read_dram(const Place& place, const Fetch& fetch, Cycle now) {
  const std::uint32_t channel = local_channel(place);
  channels_[channel].port.put({{place.channel_line, fetch.sectors, false, fetches_.take(fetch)}, fetch.slice});
  catch_up(channel, now);
}

void PartitionCore::write_dram(const Place& place, std::uint8_t sectors, Cycle now) {
  const std::uint32_t slice = place.slice - wiring_.index * map_.slices_per_partition();
  const std::uint32_t channel = local_channel(place);
  ++waiting_writes_[slice];
  channels_[channel].port.put({{place.channel_line, sectors, true, 0}, slice});
  catch_up(channel, now);
}

void PartitionCore::catch_up(std::uint32_t index, Cycle now) {
  Channel& channel = channels_[index];
  channel.port.run(now, done_, taken_);
  for (const dram::Completion& completion : done_) {
    schedule(std::max(completion.ready, now), {Work::kFill, 0, completion.token});
  }
  done_.clear();
  for (const std::uint32_t slice : taken_) {
    if (waiting_writes_[slice]-- == arch_.l2.queue_entries) {
      schedule(now, {Work::kWake, static_cast<std::uint16_t>(slice), 0});
    }
  }
  taken_.clear();
  const Cycle next = channel.port.next_event();
  if (next < channel.event_at) {
    channel.event_at = std::max(next, now + 1);
    schedule(channel.event_at, {Work::kChannel, static_cast<std::uint16_t>(index), 0});
  }
}

void PartitionCore::handle_channel(std::uint32_t index, Cycle now) {
  if (channels_[index].event_at == now) {
    channels_[index].event_at = kNever;
    catch_up(index, now);
  }
}

void PartitionCore::prefetch_channels() const {
  for (const Channel& channel : channels_) {
    if (channel.event_at != kNever) {
      channel.port.prefetch();
    }
  }
}

void PartitionCore::prefetch_channel_queues() const {
  for (const Channel& channel : channels_) {
    if (channel.event_at != kNever) {
      channel.port.prefetch_queue();
    }
  }
}

bool PartitionCore::is_core_idle() const {
  const auto is_empty = [](const Channel& channel) { return channel.port.is_empty(); };
  return next_event() == kNever && fetches_.used() == 0 && messages_.used() == 0 &&
         std::all_of(channels_.begin(), channels_.end(), is_empty);
}

void PartitionCore::restart_core() {
  restart();
  events_ = engine::EventWheel<Event>();
  link_ = link_of(arch_);
  for (Channel& channel : channels_) {
    channel.port.reset();
    channel.event_at = kNever;
  }
}

stats::DramCounters PartitionCore::dram_counters() const {
  stats::DramCounters sum;
  for (const Channel& channel : channels_) {
    stats::add(sum, channel.port.counters());
  }
  return sum;
}

}  // namespace gpusim::mem::l2
