// SPDX-License-Identifier: MIT
// What L1 counts of local memory while a kernel runs.
#pragma once

#include <array>
#include <cstdint>

#include "sim/model/stats/field.h"

namespace gpusim::stats {

/// Local memory in one SM's L1 (or the sum over SMs). Its sectors are among L1's, too; what is written stays there,
/// dirty, until its line has to leave.
struct LocalCounters {
  std::uint64_t load_requests = 0;
  std::uint64_t store_requests = 0;
  std::uint64_t load_sectors = 0;
  std::uint64_t load_hits = 0;
  std::uint64_t load_misses = 0;
  std::uint64_t store_sectors = 0;
  std::uint64_t store_hits = 0;
  std::uint64_t fill_sectors = 0;
  std::uint64_t dirtied_sectors = 0;
  std::uint64_t written_back_sectors = 0;
  std::uint64_t dropped_sectors = 0;

  static const std::array<Field<LocalCounters>, 11> kFields;
};
inline constexpr std::array<Field<LocalCounters>, 11> LocalCounters::kFields{{
    {"load_requests", Unit::kRequests, "local loads with at least one lane", &LocalCounters::load_requests},
    {"store_requests", Unit::kRequests, "local stores with at least one lane", &LocalCounters::store_requests},
    {"load_sectors", Unit::kSectors, "sectors local loads looked up", &LocalCounters::load_sectors},
    {"load_hits", Unit::kSectors, "looked-up sectors found valid", &LocalCounters::load_hits},
    {"load_misses", Unit::kSectors, "looked-up sectors not found (merged ones included)", &LocalCounters::load_misses},
    {"store_sectors", Unit::kSectors, "sectors local stores wrote in L1", &LocalCounters::store_sectors},
    {"store_hits", Unit::kSectors, "written sectors that L1 had before", &LocalCounters::store_hits},
    {"fill_sectors", Unit::kSectors, "sectors of local memory requested from L2", &LocalCounters::fill_sectors},
    {"dirtied_sectors", Unit::kSectors, "sectors that a store made dirty", &LocalCounters::dirtied_sectors},
    {"written_back_sectors", Unit::kSectors, "dirty sectors written back to L2", &LocalCounters::written_back_sectors},
    {"dropped_sectors", Unit::kSectors,
     "dirty sectors not needed any more: read for the last time, or their warp is gone",
     &LocalCounters::dropped_sectors},
}};
static_assert(covers_every_field<LocalCounters>());

}  // namespace gpusim::stats
