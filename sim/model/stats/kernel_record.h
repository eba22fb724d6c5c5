// SPDX-License-Identifier: MIT
// What a run records of a kernel over time, when it is asked to: warp states and traffic by interval, when each CTA
// came and went, and what each SM did.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/base/types.h"
#include "sim/model/stats/occupancy.h"
#include "sim/model/stats/stall.h"
#include "sim/model/stats/traffic_counters.h"

namespace gpusim::stats {

/// Intervals of equal length from cycle 0 on. The states of the last one end with the kernel; its traffic does not, as
/// writes that nobody waits for go on.
struct TimeSeries {
  Cycle interval_cycles = 0;
  std::vector<StallCycles> states;       ///< warp-cycles by interval and state
  std::vector<TrafficCounters> traffic;  ///< by interval; as many
  TrafficCounters traffic_after{};       ///< in cycles behind the last interval
};

/// A CTA on its SM, over cycles [begin, end).
struct CtaSpan {
  std::uint64_t cta = 0;  ///< linear
  std::uint32_t sm = 0;
  std::uint32_t slot = 0;  ///< slot among the SM's CTAs
  Cycle begin = 0;
  Cycle end = 0;
  friend bool operator==(const CtaSpan&, const CtaSpan&) = default;
};

/// CTAs from this one on, counted from the first that runs, have no CtaSpan: grids have millions.
inline constexpr std::uint64_t kMostCtaSpans = 20'000;

/// Occupancy if one property of the launch were another: warps an SM over values of the property, ascending.
struct OccupancyCurve {
  Knob of = Knob::kBlock;
  std::uint64_t at = 0;  ///< the launch's own value
  std::vector<std::uint64_t> values;
  std::vector<std::uint64_t> warps;  ///< as many
};

/// Everything recorded of one kernel.
struct KernelRecord {
  TimeSeries series;
  std::vector<CtaSpan> ctas;  ///< by number
  std::vector<OccupancyCurve> occupancy_curves;
  std::vector<std::uint64_t> sm_ctas;               ///< CTAs completed, by SM
  std::vector<std::uint64_t> sm_warp_instructions;  ///< issued, by SM
};

}  // namespace gpusim::stats
