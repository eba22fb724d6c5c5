// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>

#include "sim/model/stats/field.h"

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

}  // namespace gpusim::stats
