// SPDX-License-Identifier: MIT
// What the instructions of a line count together.
#pragma once

#include <cstdint>

#include "sim/model/stats/pc_profile.h"

namespace gpusim::report {

/// Instructions that are added up: copies, of which the first gives the name.
struct LineCounts : stats::PcCounters, isa::InstrText {
  std::uint32_t copies = 0;
  stats::StallCycles stalls{};

  void add(const stats::PcResult& one) {
    if (copies == 0) {
      static_cast<isa::InstrText&>(*this) = one;
    }
    ++copies;
    stats::add<stats::PcCounters>(*this, one);
    stats::add(stalls, one.stalls);
  }
};

}  // namespace gpusim::report
