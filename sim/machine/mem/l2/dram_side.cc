// SPDX-License-Identifier: MIT
#include "sim/machine/mem/l2/dram_side.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include "sim/machine/mem/dram/bus_series.h"
#include "sim/model/arch/arch.h"

namespace gpusim::mem::l2 {

namespace {
/// In the token of a read: its slot is one of the write-backs', not one of the fetches'.
constexpr std::uint32_t kMergeToken = 1U << 31;
}  // namespace

void DramPort::run(Cycle now, std::vector<dram::Completion>& done, std::vector<std::uint32_t>& taken) {
  channel_.run(now, done);
  while (!reads_.empty() && channel_.can_accept(false)) {
    channel_.accept(reads_.front().request, now);
    reads_.pop_front();
  }
  while (!writes_.empty() && channel_.can_accept(true)) {
    channel_.accept(writes_.front().request, now);
    taken.push_back(writes_.front().slice);
    writes_.pop_front();
  }
  full_.hold(!reads_.empty() || !writes_.empty(), now);
}

DramSide::DramSide(const arch::Arch& arch, const AddressMap& map, std::uint32_t index, Calendar& calendar)
    : arch_(arch),
      calendar_(calendar),
      channel_count_(map.channels_per_partition()),
      first_channel_(index * channel_count_),
      most_waiting_(arch.l2.queue_entries),
      most_merging_(arch.l2.mshrs),
      waiting_writes_(map.slices_per_partition()),
      merging_(map.slices_per_partition()) {}

DramSide::~DramSide() = default;

void DramSide::make_channels() {
  channels_.reserve(channel_count_);
  for (std::uint32_t i = 0; i < channel_count_; ++i) {
    channels_.push_back({DramPort(arch_.dram, arch_.clocks.sm), kNever});
  }
  for (std::size_t i = 1; arch_.dram.row_bus == arch::RowBus::kShared && i < channels_.size(); i += 2) {
    channels_[i - 1].port.share_row_bus(channels_[i].port);
  }
  record_channels();
}

[[gnu::noinline]] void DramSide::put(std::uint32_t index, const DramPort::Job& job, Cycle now) {
  if (channels_.empty()) {
    make_channels();
  }
  channels_[index - first_channel_].port.put(job);
  catch_up(index - first_channel_, now);
}

void DramSide::read(const map::ChannelLine& place, const Fetch& fetch, Cycle now) {
  put(place.channel, {{place.line, fetch.sectors, false, fetches_.take(fetch)}, fetch.slice}, now);
}

void DramSide::put_write(const WriteBack& line, Cycle now) {
  ++waiting_writes_[line.slice];
  put(line.place.channel, {{line.place.line, line.sectors, true, 0}, line.slice}, now);
}

void DramSide::write(const WriteBack& line, std::uint8_t partial, Cycle now) {
  if (partial == 0) [[likely]] {
    put_write(line, now);
  } else {
    ++merging_[line.slice];
    put(line.place.channel, {{line.place.line, partial, false, merges_.take(line) | kMergeToken}, line.slice}, now);
  }
}

void DramSide::merge(std::uint32_t slot, Cycle now) {
  const WriteBack line = merges_.remove(slot);
  if (merging_[line.slice]-- == most_merging_) {
    calendar_.push(now, {Work::kWake, line.slice, 0});
  }
  put_write(line, now);
}

[[gnu::noinline, gnu::flatten]] void DramSide::catch_up(std::uint32_t index, Cycle now) {
  Channel& channel = channels_[index];
  channel.port.run(now, done_, taken_);
  for (const dram::Completion& completion : done_) {
    const Work work = (completion.token & kMergeToken) != 0 ? Work::kMerge : Work::kFill;
    calendar_.push(std::max(completion.ready, now), {work, 0, completion.token & ~kMergeToken});
  }
  done_.clear();
  for (const std::uint32_t slice : taken_) {
    if (waiting_writes_[slice]-- == most_waiting_) {
      calendar_.push(now, {Work::kWake, static_cast<std::uint16_t>(slice), 0});
    }
  }
  taken_.clear();
  const Cycle next = channel.port.next_event();
  if (next < channel.event_at) {
    channel.event_at = std::max(next, now + 1);
    calendar_.push(channel.event_at, {Work::kChannel, static_cast<std::uint16_t>(index), 0});
  }
}

bool DramSide::idle() const {
  return fetches_.used() == 0 && merges_.used() == 0 &&
         std::all_of(channels_.begin(), channels_.end(), [](const Channel& one) { return one.port.is_empty(); });
}

std::string DramSide::leftovers() const {
  std::string text = fetches_.used() == 0 ? "" : std::to_string(fetches_.used()) + " fetches ";
  if (merges_.used() != 0) {
    text += std::to_string(merges_.used()) + " write-backs that wait for the rest of their sectors ";
  }
  for (std::size_t i = 0; i < channels_.size(); ++i) {
    if (!channels_[i].port.is_empty()) {
      text += channels_[i].port.leftovers() + " of channel " + std::to_string(i) +
              (channels_[i].event_at == kNever ? " without an event " : " ");
    }
  }
  return text;
}

void DramSide::restart() {
  assert(idle());
  for (Channel& channel : channels_) {
    channel.port.reset();
    channel.event_at = kNever;
  }
}

void DramSide::record(std::unique_ptr<dram::BusSeries> series) {
  series_ = std::move(series);
  record_channels();
}

void DramSide::record_channels() {
  for (Channel& channel : channels_) {
    channel.port.record(series_.get());
  }
}

void DramSide::add_to(stats::NocCounters& counters, Cycle end) const {
  for (const Channel& channel : channels_) {
    counters.dram_full_cycles += channel.port.full_cycles(end);
  }
}

stats::DramCounters DramSide::counters() const {
  stats::DramCounters sum;
  for (const Channel& channel : channels_) {
    stats::add(sum, channel.port.counters());
  }
  return sum;
}

}  // namespace gpusim::mem::l2
