// SPDX-License-Identifier: MIT
#include "sim/machine/mem/dram/ideal.h"

#include <algorithm>
#include <bit>

#include "sim/machine/mem/dram/address_map.h"

namespace gpusim::mem::dram {

IdealChannel::IdealChannel(const arch::DramConfig& config)
    : timing_(config.timing), burst_bytes_(config.burst_bytes), check_bursts_(check_bursts(config)) {}

void IdealChannel::reset() {
  bus_free_ = 0;
  arrivals_.clear();
  counters_ = {};
}

[[gnu::noinline]] void IdealChannel::accept(const Request& request, Clock now) {
  const Clock start = std::max(now, bus_free_);
  const auto of_data = static_cast<std::uint32_t>(std::popcount(burst_mask(request.sectors, burst_bytes_)));
  const std::uint32_t bursts = of_data + check_bursts_;
  bus_free_ = start + Clock{bursts} * timing_.CCDS;
  counters_.bursts += bursts;
  counters_.bus_busy_clocks += std::uint64_t{bursts} * timing_.BL;
  (request.write ? counters_.write_bytes : counters_.read_bytes) += std::uint64_t{of_data} * burst_bytes_;
  counters_.ecc_bytes += std::uint64_t{check_bursts_} * burst_bytes_;
  for (std::uint32_t i = 0; series_ != nullptr && i < of_data; ++i) {
    series_->add_burst(request.write, start + Clock{i} * timing_.CCDS + timing_.RCDRD + timing_.CL);
  }
  if (!request.write) {
    arrivals_.push_back({request.token, bus_free_ - timing_.CCDS + read_latency()});
  }
}

[[gnu::noinline]] void IdealChannel::advance(Clock, std::vector<Arrival>& arrivals) {
  arrivals.insert(arrivals.end(), arrivals_.begin(), arrivals_.end());
  arrivals_.clear();
}

}  // namespace gpusim::mem::dram
