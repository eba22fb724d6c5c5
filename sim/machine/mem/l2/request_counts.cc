// SPDX-License-Identifier: MIT
#include "sim/machine/mem/l2/request_counts.h"

namespace gpusim::mem::l2 {

void RequestCounts::take(const msg::Message& message) {
  ++counters_.requests;
  if (message.kind() == msg::Kind::kWrite) {
    counters_.write_sectors += msg::sector_count(message.sectors);
  } else if (message.kind() != msg::Kind::kRead) {
    counters_.atomic_sectors += msg::sector_count(message.sectors);
  }
}

void RequestCounts::join(const msg::Message& read) {
  ++counters_.requests;
  ++counters_.joined_requests;
  counters_.joined_sectors += msg::sector_count(read.sectors);
}

void RequestCounts::look_up(const msg::Message& message, std::uint8_t missing) {
  const std::uint32_t sectors = msg::sector_count(message.sectors);
  const std::uint32_t misses = msg::sector_count(missing);
  switch (message.kind()) {
    case msg::Kind::kRead:
      counters_.read_sectors += sectors;
      counters_.read_hits += sectors - misses;
      counters_.read_misses += misses;
      break;
    case msg::Kind::kFarRead:
      counters_.far_sectors += sectors;
      counters_.far_hits += sectors - misses;
      counters_.far_misses += misses;
      break;
    default: counters_.atomic_hits += sectors - misses; counters_.atomic_misses += misses;
  }
}

}  // namespace gpusim::mem::l2
