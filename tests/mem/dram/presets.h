// SPDX-License-Identifier: MIT
// Two memory parts for the tests. Timings are those of Ramulator 2's presets HBM3_6400Mbps with HBM3_16Gb_8hi and
// HBM2_2000Mbps with HBM2_2Gb (CMU-SAFARI, commit c5b1c3a478b68853a61a0b8f99510d0dde7e6fd0), one pseudo-channel a
// channel.
#pragma once

#include "sim/arch/arch.h"

namespace gpusim::test {

/// Two stack ranks of 4 x 4 banks count as 8 banks a group: cross-rank timings are not modelled.
inline arch::DramConfig hbm3() {
  arch::DramConfig config;
  config.model = "banked";
  config.type = "HBM3";
  config.bank_groups = 4;
  config.banks_per_group = 8;
  config.row_bytes = 1024;
  config.command_hz = 1'600'000'000;
  config.burst_bytes = 32;
  config.queue_entries = 32;
  config.write_high_percent = 80;
  config.write_low_percent = 20;
  config.timing = {.CL = 20,
                   .CWL = 10,
                   .RCDRD = 31,
                   .RCDWR = 15,
                   .RP = 26,
                   .RAS = 45,
                   .CCDS = 2,
                   .CCDL = 4,
                   .RRDS = 4,
                   .RRDL = 5,
                   .FAW = 24,
                   .WR = 33,
                   .RTP = 9,
                   .WTRS = 7,
                   .WTRL = 10,
                   .RTW = 20,
                   .RFC = 560,
                   .REFI = 6240,
                   .BL = 2};
  return config;
}

/// ACT takes two command clocks in that preset: RCD counts one more here, RP one less.
inline arch::DramConfig hbm2() {
  arch::DramConfig config = hbm3();
  config.type = "HBM2";
  config.banks_per_group = 4;
  config.command_hz = 1'000'000'000;
  config.timing = {.CL = 14,
                   .CWL = 5,
                   .RCDRD = 15,
                   .RCDWR = 13,
                   .RP = 13,
                   .RAS = 34,
                   .CCDS = 2,
                   .CCDL = 4,
                   .RRDS = 4,
                   .RRDL = 4,
                   .FAW = 15,
                   .WR = 16,
                   .RTP = 5,
                   .WTRS = 6,
                   .WTRL = 8,
                   .RTW = 13,
                   .RFC = 160,
                   .REFI = 3900,
                   .BL = 2};
  return config;
}

}  // namespace gpusim::test
