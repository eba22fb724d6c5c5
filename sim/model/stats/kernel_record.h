// SPDX-License-Identifier: MIT
// What a run records of a kernel over time, when it is asked to: warp states and traffic by interval, when each CTA
// came and went, and what each SM did.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "sim/base/types.h"
#include "sim/model/stats/field.h"
#include "sim/model/stats/occupancy.h"
#include "sim/model/stats/stall.h"

namespace gpusim::stats {

/// What moved through the memory hierarchy in an interval, summed over the GPU.
struct TrafficCounters {
  std::uint64_t l1_sectors = 0;
  std::uint64_t l1_lookups = 0;
  std::uint64_t l1_hits = 0;
  std::uint64_t l1_wavefronts = 0;
  std::uint64_t shared_wavefronts = 0;
  std::uint64_t l2_sectors = 0;
  std::uint64_t l2_lookups = 0;
  std::uint64_t l2_hits = 0;
  std::uint64_t dram_read_bytes = 0;
  std::uint64_t dram_write_bytes = 0;

  static const std::array<Field<TrafficCounters>, 10> kFields;
};
inline constexpr std::array<Field<TrafficCounters>, 10> TrafficCounters::kFields{{
    {"l1_sectors", Unit::kSectors, "sectors of loads, stores and atomics in L1", &TrafficCounters::l1_sectors},
    {"l1_lookups", Unit::kSectors, "sectors that loads looked up in L1", &TrafficCounters::l1_lookups},
    {"l1_hits", Unit::kSectors, "looked-up sectors found valid in L1", &TrafficCounters::l1_hits},
    {"l1_wavefronts", Unit::kCycles, "passes of loads, stores and atomics through the L1 data stages",
     &TrafficCounters::l1_wavefronts},
    {"shared_wavefronts", Unit::kCycles, "passes through the shared-memory banks", &TrafficCounters::shared_wavefronts},
    {"l2_sectors", Unit::kSectors, "sectors that SMs read, wrote or changed in L2, as they pass a slice's data port",
     &TrafficCounters::l2_sectors},
    {"l2_lookups", Unit::kSectors, "sectors that SMs read, as they are looked up", &TrafficCounters::l2_lookups},
    {"l2_hits", Unit::kSectors, "looked-up sectors valid in the slice asked first", &TrafficCounters::l2_hits},
    {"dram_read_bytes", Unit::kBytes, "bytes read from DRAM, as they pass its data bus",
     &TrafficCounters::dram_read_bytes},
    {"dram_write_bytes", Unit::kBytes, "bytes written to DRAM, likewise", &TrafficCounters::dram_write_bytes},
}};
static_assert(covers_every_field<TrafficCounters>());

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
