// SPDX-License-Identifier: MIT
// What an architecture file says of DRAM: its channels and banks, timings, scheduling, refresh and ECC.
#pragma once

#include <cstdint>
#include <string>

#include "sim/model/arch/words.h"

namespace gpusim::policy {
enum class DramScheduler : std::uint8_t;
}  // namespace gpusim::policy

namespace gpusim::arch {

/// DRAM timings under their JEDEC names, in DRAM clocks (tCK) after rounding once from nanoseconds.
struct DramTimings {
  std::uint32_t CL = 0, CWL = 0, RCDRD = 0, RCDWR = 0, RP = 0, RAS = 0, RC = 0, CCDS = 0, CCDL = 0, RRDS = 0, RRDL = 0,
                FAW = 0, WR = 0, RTP = 0, WTRS = 0, WTRL = 0, RTW = 0, RFC = 0, RFCpb = 0, RREFD = 0, REFI = 0, BL = 0;
  friend bool operator==(const DramTimings&, const DramTimings&) = default;
};

struct DramConfig {
  DramModel model{};
  std::string type;  ///< "HBM3"
  std::uint64_t capacity_bytes = 0;
  std::uint64_t driver_bytes = 0;  ///< that the driver keeps: the capacity less it is what CUDA reports
  std::uint32_t stacks = 0;
  std::uint32_t channels = 0;      ///< pseudo-channels, all together
  std::uint32_t channel_bits = 0;  ///< data bits of a pseudo-channel
  std::uint32_t bank_groups = 0;
  std::uint32_t banks_per_group = 0;
  std::uint32_t row_bytes = 0;                      ///< a bank of one pseudo-channel
  std::string mapping = "row bank^ column group^";  ///< how a channel's lines are spread, see dram_mapping.h
  std::uint64_t command_hz = 0;                     ///< 1 / tCK
  std::uint32_t burst_bytes = 0;                    ///< bytes of one column command
  std::uint32_t queue_entries = 0;                  ///< requests a pseudo-channel
  policy::DramScheduler scheduler{};                ///< order of a channel's requests
  std::uint32_t scheduler_cap = 0;                  ///< bursts of a row before an older request; 0: a row's worth
  std::uint32_t write_high_percent = 0;             ///< percent of the queue at which draining of writes starts
  std::uint32_t write_low_percent = 0;              ///< stop draining
  std::uint32_t write_wait = 0;                     ///< clocks without a read before fewer writes are drained
  std::uint32_t controller_latency = 0;             ///< SM cycles from slice to queue and back to the slice, together
  DramRefresh refresh = DramRefresh::kAllBank;      ///< what a refresh command takes
  std::uint32_t refresh_postponed = 0;              ///< refreshes of every bank that may be owed at most
  RowBus row_bus = RowBus::kOwn;
  std::uint32_t activate_clocks = 1;  ///< clocks that ACT takes on that bus
  DramEcc ecc = DramEcc::kNone;
  DramTimings timing;

  /// Peak bytes per second over all channels.
  [[nodiscard]] double peak_bytes_per_second() const {
    return static_cast<double>(channels) * burst_bytes * static_cast<double>(command_hz) / timing.CCDS;
  }
  friend bool operator==(const DramConfig&, const DramConfig&) = default;
};

}  // namespace gpusim::arch
