// SPDX-License-Identifier: MIT
// What DRAM counts while a kernel runs.
#pragma once

#include <array>
#include <cstdint>

#include "sim/model/stats/field.h"

namespace gpusim::stats {

/// One DRAM pseudo-channel (or the sum).
struct DramCounters {
  std::uint64_t read_bytes = 0;
  std::uint64_t write_bytes = 0;
  std::uint64_t ecc_bytes = 0;
  std::uint64_t bursts = 0;
  std::uint64_t row_hits = 0;
  std::uint64_t row_misses = 0;
  std::uint64_t row_conflicts = 0;
  std::uint64_t activates = 0;
  std::uint64_t precharges = 0;
  std::uint64_t refreshes = 0;
  std::uint64_t bank_refreshes = 0;
  std::uint64_t bus_busy_clocks = 0;
  std::uint64_t queued_clocks = 0;

  /// Data and check bits, read and written.
  [[nodiscard]] std::uint64_t moved_bytes() const { return read_bytes + write_bytes + ecc_bytes; }
  static const std::array<Field<DramCounters>, 13> kFields;
};
inline constexpr std::array<Field<DramCounters>, 13> DramCounters::kFields{{
    {"read_bytes", Unit::kBytes, "bytes read", &DramCounters::read_bytes},
    {"write_bytes", Unit::kBytes, "bytes written", &DramCounters::write_bytes},
    {"ecc_bytes", Unit::kBytes, "bytes of check bits read and written among the data", &DramCounters::ecc_bytes},
    {"bursts", Unit::kCount, "column commands", &DramCounters::bursts},
    {"row_hits", Unit::kCount, "bursts that found their row open", &DramCounters::row_hits},
    {"row_misses", Unit::kCount, "bursts that found their bank closed", &DramCounters::row_misses},
    {"row_conflicts", Unit::kCount, "bursts that found another row open", &DramCounters::row_conflicts},
    {"activates", Unit::kCount, "ACT commands", &DramCounters::activates},
    {"precharges", Unit::kCount, "PRE commands", &DramCounters::precharges},
    {"refreshes", Unit::kCount, "REF commands, of all banks", &DramCounters::refreshes},
    {"bank_refreshes", Unit::kCount, "REF commands of single banks or pairs", &DramCounters::bank_refreshes},
    {"bus_busy_clocks", Unit::kCycles, "DRAM clocks with data on the bus", &DramCounters::bus_busy_clocks},
    {"queued_clocks", Unit::kCycles, "pseudo-channels times DRAM clocks with a request in their queues",
     &DramCounters::queued_clocks},
}};
static_assert(covers_every_field<DramCounters>());

}  // namespace gpusim::stats
