// SPDX-License-Identifier: MIT
// Made-up points, whose answers are known on paper.
#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "sim/commands/sweep/store/point.h"

namespace gpusim::sweep {

using Parameters = std::vector<std::pair<std::string, std::string>>;

inline PointRow done(Parameters parameters, double time_us, std::string bound = "dram") {
  PointRow row;
  row.arch = "h100";
  row.trace = "saxpy";
  row.parameters = std::move(parameters);
  row.status = kDone;
  row.time_us = time_us;
  row.cycles = static_cast<std::uint64_t>(time_us * 1000);
  row.bound = std::move(bound);
  return row;
}

inline PointRow lost(std::string_view status, std::string reason, Parameters parameters) {
  PointRow row = done(std::move(parameters), 0, "");
  row.status = status;
  row.reason = std::move(reason);
  return row;
}

/// A machine that takes 1200 us of compute on one SM and 60 us of memory at 1 TB/s, one after the other as needed: the
/// longer of 1200 / SMs and 60 / TB/s is the time. Shares are those of the time.
inline PointRow roofline(int sms, int tbs) {
  const double compute = 1200.0 / sms;
  const double memory = 60.0 / tbs;
  const double time = std::max(compute, memory);
  PointRow row = done({{"sm.count", std::to_string(sms)}, {"dram.bandwidth", std::to_string(tbs) + " TB/s"}}, time,
                      compute > memory ? "tensor" : "dram");
  row.metrics = {{"tensor_share_pct", 100 * compute / time}, {"dram_pct", 100 * memory / time}, {"tflops", 900 / time}};
  return row;
}

/// Every combination of 10, 20, 40, 80 SMs with 1, 2, 4 TB/s.
inline std::vector<PointRow> roofline_grid() {
  std::vector<PointRow> rows;
  for (const int sms : {10, 20, 40, 80}) {
    for (const int tbs : {1, 2, 4}) {
      rows.push_back(roofline(sms, tbs));
    }
  }
  return rows;
}

}  // namespace gpusim::sweep
