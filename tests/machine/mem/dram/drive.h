// SPDX-License-Identifier: MIT
// Feeds a pseudo-channel in the tests: bursts found by where they lie, and streams that keep its queue full.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/machine/mem/dram/address_map.h"
#include "sim/machine/mem/dram/channel.h"
#include "sim/model/arch/arch.h"

namespace gpusim::test {

/// A request for one burst of 32 bytes, by its number in the channel.
inline mem::dram::Request burst_request(std::uint64_t burst, bool write, std::uint32_t token = 0) {
  return {burst / kSectorsPerLine, static_cast<std::uint8_t>(1U << (burst % kSectorsPerLine)), write, token};
}

/// The first burst after `from` that lies where `wanted(place)` says.
template <class Wanted>
std::uint64_t find_burst(const arch::DramConfig& config, std::uint64_t from, Wanted&& wanted) {
  const mem::dram::AddressMap map(config);
  for (std::uint64_t burst = from + 1;; ++burst) {
    if (wanted(map.place(burst))) {
      return burst;
    }
  }
}

inline std::uint64_t same_row(const arch::DramConfig& config, std::uint64_t burst) {
  const auto place = mem::dram::AddressMap(config).place(burst);
  return find_burst(config, burst, [&](const mem::dram::Place& other) { return other == place; });
}

inline std::uint64_t other_row(const arch::DramConfig& config, std::uint64_t burst) {
  const auto place = mem::dram::AddressMap(config).place(burst);
  return find_burst(config, burst,
                    [&](const mem::dram::Place& other) { return other.bank == place.bank && other.row != place.row; });
}

/// Offers `requests` as fast as the queue takes them; returns the fraction of the peak bandwidth reached. `next(i)` is
/// the i-th request. SM and DRAM clock are the same.
template <class Next>
double saturate(const arch::DramConfig& config, std::uint64_t requests, Next&& next) {
  mem::dram::PseudoChannel channel(config, config.command_hz);
  std::vector<mem::dram::Completion> done;
  Cycle now = 0;
  for (std::uint64_t i = 0; i < requests; ++i) {
    const mem::dram::Request request = next(i);
    channel.run(now, done);
    while (!channel.can_accept(request.write)) {
      now = channel.next_event();
      channel.run(now, done);
    }
    channel.accept(request, now);
  }
  const auto& counters = channel.counters();
  const auto bursts = (counters.read_bytes + counters.write_bytes) / config.burst_bytes;
  return static_cast<double>(bursts * config.timing.CCDS) / static_cast<double>(now);
}

}  // namespace gpusim::test
