// SPDX-License-Identifier: MIT
// Memory parts for the tests. Timings are those of Ramulator 2's presets HBM3_6400Mbps with HBM3_16Gb_8hi,
// HBM2_2000Mbps with HBM2_2Gb, and GDDR6_14000_1350mV_double and 1250mV with GDDR6_8Gb_x16 (CMU-SAFARI, commit
// c5b1c3a478b68853a61a0b8f99510d0dde7e6fd0), one pseudo-channel a channel.
#pragma once

#include "sim/model/arch/arch.h"

namespace gpusim::test {

/// Two stack identifiers of 4 x 4 banks count as 8 banks a group: timings between them are not modelled. ACT takes more
/// than a command clock in the HBM presets and timings count from its end: RCD and RAS count one more here, RP one
/// less. On its bus HBM3's ACT takes 1.5 clocks and PRE half of one; here each takes one.
inline arch::DramConfig hbm3() {
  arch::DramConfig config;
  config.model = arch::DramModel::kBanked;
  config.type = "HBM3";
  config.bank_groups = 4;
  config.banks_per_group = 8;
  config.row_bytes = 1024;
  config.command_hz = 1'600'000'000;
  config.burst_bytes = 32;
  config.queue_entries = 32;
  config.write_high_percent = 80;
  config.write_low_percent = 20;
  config.refresh_postponed = 8;
  config.timing = {.CL = 20,
                   .CWL = 10,
                   .RCDRD = 32,
                   .RCDWR = 16,
                   .RP = 25,
                   .RAS = 46,
                   .RC = 72,
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
                   .RFCpb = 320,
                   .RREFD = 8,
                   .REFI = 6240,
                   .BL = 2};
  return config;
}

inline arch::DramConfig hbm2() {
  arch::DramConfig config = hbm3();
  config.type = "HBM2";
  config.banks_per_group = 4;
  config.activate_clocks = 2;
  config.command_hz = 1'000'000'000;
  config.timing = {.CL = 14,
                   .CWL = 5,
                   .RCDRD = 15,
                   .RCDWR = 13,
                   .RP = 13,
                   .RAS = 35,
                   .RC = 48,
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
                   .RFCpb = 160,
                   .RREFD = 8,
                   .REFI = 3900,
                   .BL = 2};
  return config;
}

inline arch::DramConfig gddr6() {
  arch::DramConfig config = hbm3();
  config.type = "GDDR6";
  config.banks_per_group = 4;
  config.row_bytes = 2048;
  config.command_hz = 1'750'000'000;
  config.timing = {.CL = 24,
                   .CWL = 6,
                   .RCDRD = 27,
                   .RCDWR = 16,
                   .RP = 27,
                   .RAS = 53,
                   .RC = 80,
                   .CCDS = 2,
                   .CCDL = 4,
                   .RRDS = 8,
                   .RRDL = 8,
                   .FAW = 29,
                   .WR = 27,
                   .RTP = 4,
                   .WTRS = 9,
                   .WTRL = 11,
                   .RTW = 25,
                   .RFC = 211,
                   .RFCpb = 106,
                   .RREFD = 15,
                   .REFI = 3333,
                   .BL = 2};
  return config;
}

/// At 1250 mV in place of 1350 mV.
inline arch::DramConfig gddr6_low_voltage() {
  arch::DramConfig config = gddr6();
  arch::DramTimings& t = config.timing;
  t.RCDRD = 30;
  t.RCDWR = 20;
  t.RP = 30;
  t.RAS = 60;
  t.RC = 90;
  t.RREFD = 22;
  t.WR = 30;
  t.RRDS = 11;
  t.RRDL = 11;
  t.FAW = 43;
  return config;
}

}  // namespace gpusim::test
