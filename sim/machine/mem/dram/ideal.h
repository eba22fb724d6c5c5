// SPDX-License-Identifier: MIT
// The ideal model of a pseudo-channel, in DRAM clocks: every access takes as long as one to a closed bank that is free,
// and the data bus moves one burst every CCDS. No banks, no queue, no turnaround, no refresh: what an architect asks
// for with dram.model=ideal.
#pragma once

#include <vector>

#include "sim/machine/mem/dram/arrival.h"
#include "sim/machine/mem/dram/bus_series.h"
#include "sim/machine/mem/dram/channel.h"
#include "sim/model/arch/dram_config.h"
#include "sim/model/stats/counters.h"

namespace gpusim::mem::dram {

class IdealChannel {
 public:
  explicit IdealChannel(const arch::DramConfig& config);

  [[nodiscard]] bool can_accept(bool) const { return true; }
  [[nodiscard]] bool full() const { return false; }
  [[nodiscard]] std::uint32_t queued() const { return static_cast<std::uint32_t>(arrivals_.size()); }
  void accept(const Request& request, Clock now);
  [[nodiscard]] Clock next_burst() const {
    return arrivals_.empty() ? kNever : arrivals_.front().clock - read_latency();
  }
  /// All accepted reads at once: nothing that comes later can change them.
  void advance(Clock end, std::vector<Arrival>& arrivals);
  [[nodiscard]] Clock read_latency() const { return timing_.RCDRD + timing_.CL + timing_.BL; }
  [[nodiscard]] const stats::DramCounters& counters() const { return counters_; }
  void reset();
  /// As BankedChannel's.
  void record(BusSeries* series) { series_ = series; }

 private:
  arch::DramTimings timing_;
  std::uint32_t burst_bytes_;
  std::uint32_t check_bursts_;  ///< bursts of check bits with each request
  Clock bus_free_ = 0;
  std::vector<Arrival> arrivals_;  ///< accepted reads, in order
  stats::DramCounters counters_;
  BusSeries* series_ = nullptr;
};

}  // namespace gpusim::mem::dram
