// SPDX-License-Identifier: MIT
// A partition's side of one pseudo-channel: requests that the channel's queues have no place for wait here, reads and
// writes each in order. Owns the pseudo-channel and the requests that wait.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/base/open_spans.h"
#include "sim/base/ring.h"
#include "sim/base/types.h"
#include "sim/machine/mem/dram/channel.h"
#include "sim/model/arch/dram_config.h"
#include "sim/model/stats/dram_counters.h"

namespace gpusim::mem::l2 {

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

}  // namespace gpusim::mem::l2
