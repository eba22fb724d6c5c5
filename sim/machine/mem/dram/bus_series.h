// SPDX-License-Identifier: MIT
// The bytes that pseudo-channels move over time: each burst in the SM cycles in which it is on its data bus.
#pragma once

#include <cstdint>

#include "sim/base/rate_server.h"
#include "sim/machine/mem/dram/timing_table.h"
#include "sim/model/arch/dram_config.h"
#include "sim/model/stats/traffic_series.h"

namespace gpusim::mem::dram {

class BusSeries {
 public:
  /// `sm_hz` is the clock of the cycles.
  BusSeries(const arch::DramConfig& config, std::uint64_t sm_hz)
      : to_ticks_(config.command_hz, sm_hz * kTicksPerCycle),
        burst_clocks_(config.timing.BL),
        burst_bytes_(config.burst_bytes) {}

  /// A burst of data, which is on the bus from DRAM clock `begin` on.
  void add_burst(bool write, Clock begin) {
    using stats::TrafficCounters;
    series_.add(write ? &TrafficCounters::dram_write_bytes : &TrafficCounters::dram_read_bytes,
                to_ticks_.convert(begin), to_ticks_.convert(begin + burst_clocks_), burst_bytes_);
  }

  [[nodiscard]] const stats::IntervalTable<stats::TrafficCounters>& table() const { return series_.table(); }

 private:
  /// A burst lasts some cycles: fine enough to cut it to the byte where an interval ends.
  static constexpr std::uint64_t kTicksPerCycle = 256;

  ClockConverter to_ticks_;
  Clock burst_clocks_;
  std::uint32_t burst_bytes_;
  stats::TrafficSeries series_{kTicksPerCycle};
};

}  // namespace gpusim::mem::dram
