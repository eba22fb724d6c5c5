// SPDX-License-Identifier: MIT
// A memory partition's side of DRAM: its pseudo-channels, what its slices fetch from them, and the writes that no
// channel has taken yet. Owns the channels, the requests that wait before their queues, the fetches under way, and the
// number of waiting writes of each slice.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "sim/base/open_spans.h"
#include "sim/base/ring.h"
#include "sim/base/slot_pool.h"
#include "sim/base/types.h"
#include "sim/machine/mem/dram/channel.h"
#include "sim/machine/mem/l2/events.h"
#include "sim/model/arch/dram_config.h"
#include "sim/model/stats/counters.h"
#include "sim/model/stats/noc_counters.h"

namespace gpusim::arch {
struct Arch;
}  // namespace gpusim::arch
namespace gpusim::mem::dram {
class BusSeries;
}  // namespace gpusim::mem::dram

namespace gpusim::mem::l2 {

/// A partition's side of one pseudo-channel: requests that the channel's queues have no place for wait here, reads and
/// writes each in order.
class DramPort {
 public:
  struct Job {
    dram::Request request;
    std::uint32_t slice = 0;  ///< in the partition
  };

  DramPort(const arch::DramConfig& dram, std::uint64_t sm_hz) : channel_(dram, sm_hz) {}

  /// Never refuses: the slices' MSHRs and write places bound what waits.
  void put(const Job& job) { (job.request.write ? writes_ : reads_).push_back(job); }

  /// Brings the channel to `now` and gives it what it has places for. Appends completed reads to `done`, and the slice
  /// of every write taken to `taken`.
  void run(Cycle now, std::vector<dram::Completion>& done, std::vector<std::uint32_t>& taken);
  /// The cycle by which run() must be called again.
  [[nodiscard]] Cycle next_event() const { return channel_.next_event(); }

  [[nodiscard]] bool is_empty() const { return reads_.empty() && writes_.empty() && channel_.queued() == 0; }
  /// What is not done yet, in words.
  [[nodiscard]] std::string leftovers() const {
    return std::to_string(channel_.queued()) + " requests in the queues, " + std::to_string(reads_.size()) +
           " reads and " + std::to_string(writes_.size()) + " writes before them";
  }
  [[nodiscard]] stats::DramCounters counters() const { return channel_.counters(); }
  /// Cycles before `end`, now, in which a request waited here for a place in the channel's queues.
  [[nodiscard]] std::uint64_t full_cycles(Cycle end) const { return full_.cycles(end); }
  void reset() {
    channel_.reset();
    full_ = {};
  }
  /// As the channel's; the next one likewise.
  void record(dram::BusSeries* series) { channel_.record(series); }
  void share_row_bus(DramPort& other) { channel_.share_row_bus(other.channel_); }

 private:
  dram::PseudoChannel channel_;
  Ring<Job> reads_;
  Ring<Job> writes_;
  OpenSpans full_;
};

class DramSide {
 public:
  /// Serves partition `index`. `arch` outlives it.
  DramSide(const arch::Arch& arch, const AddressMap& map, std::uint32_t index, Calendar& calendar);
  ~DramSide();
  DramSide(const DramSide&) = delete;
  DramSide& operator=(const DramSide&) = delete;

  /// Work::kFill follows when the sectors are at the slice.
  void read(const map::ChannelLine& place, const Fetch& fetch, Cycle now);
  /// Dirty sectors of a line that leave for a channel.
  struct WriteBack {
    map::ChannelLine place;
    std::uint16_t slice = 0;  ///< in the partition
    std::uint8_t sectors = 0;
  };
  /// Work::kWake follows for the slice when it may write again. Those of its sectors that are `partial` are read first:
  /// Work::kMerge follows, and then the write.
  void write(const WriteBack& line, std::uint8_t partial, Cycle now);
  /// Whether a slice may write: of its writes at most l2.queue_entries wait for their channel, and at most l2.mshrs for
  /// the rest of their sectors.
  [[nodiscard]] bool has_write_place(std::uint32_t slice) const {
    return waiting_writes_[slice] < most_waiting_ && merging_[slice] < most_merging_;
  }

  /// Work::kFill.
  [[nodiscard]] Fetch take_fetch(std::uint32_t slot) { return fetches_.remove(slot); }
  /// Work::kMerge.
  void merge(std::uint32_t slot, Cycle now);
  /// Work::kChannel.
  void handle_channel(std::uint32_t index, Cycle now) {
    if (channels_[index].event_at == now) {
      channels_[index].event_at = kNever;
      catch_up(index, now);
    }
  }

  [[nodiscard]] bool idle() const;
  /// What keeps it from being idle, in words.
  [[nodiscard]] std::string leftovers() const;
  /// For a run that starts at cycle 0 again. Needs idle().
  void restart();
  /// Adds what its channels move from now on to `series`; null for none. The next one returns it.
  void record(std::unique_ptr<dram::BusSeries> series);
  [[nodiscard]] const dram::BusSeries* series() const { return series_.get(); }
  [[nodiscard]] stats::DramCounters counters() const;
  void add_to(stats::NocCounters& counters, Cycle end) const;

 private:
  struct Channel {
    DramPort port;
    Cycle event_at = kNever;  ///< the event that counts; others of the channel are out of date
  };
  /// The queue of channel `index` of the GPU, which catches up after a request is put there.
  void put(std::uint32_t index, const DramPort::Job& job, Cycle now);
  void put_write(const WriteBack& line, Cycle now);
  void make_channels();
  void record_channels();
  void catch_up(std::uint32_t channel, Cycle now);

  const arch::Arch& arch_;
  Calendar& calendar_;
  std::uint32_t channel_count_;
  std::uint32_t first_channel_;
  std::uint32_t most_waiting_;
  std::uint32_t most_merging_;
  std::vector<Channel> channels_;  ///< empty before the first request: a kernel that L2 holds never asks DRAM
  std::vector<std::uint32_t> waiting_writes_;  ///< by slice
  std::vector<std::uint32_t> merging_;         ///< by slice
  SlotPool<Fetch> fetches_;
  SlotPool<WriteBack> merges_;  ///< write-backs that wait for the rest of their sectors
  std::unique_ptr<dram::BusSeries> series_;
  std::vector<std::uint32_t> taken_;
  std::vector<dram::Completion> done_;
};

}  // namespace gpusim::mem::l2
