// SPDX-License-Identifier: MIT
// How an L2 slice answers: the data port, then the reply port to the GPC routers or the link to the other half; and the
// credits that give its places back to the routers. It owns the two ports and the credits it has not returned yet.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "sim/base/byte_port.h"
#include "sim/base/rate_server.h"
#include "sim/base/types.h"
#include "sim/machine/mem/l2/ports.h"
#include "sim/machine/msg/message.h"
#include "sim/model/stats/counters.h"
#include "sim/model/stats/noc_counters.h"
#include "sim/model/stats/traffic_series.h"

namespace gpusim::arch {
struct L2Config;
struct NocConfig;
}  // namespace gpusim::arch

namespace gpusim::mem::l2 {

class ReplyPath {
 public:
  /// Serves slice `slice` of the whole GPU.
  ReplyPath(const arch::L2Config& l2, const arch::NocConfig& noc, std::uint32_t slice, PartitionPorts& ports);

  /// The cycle at which `bytes` that are asked for now begin to pass the data port.
  Cycle use_data_port(std::uint32_t bytes, Cycle now) {
    const Cycle start = data_port_.free_at(now);
    data_port_.take(start, bytes);
    data_bytes_ += bytes;
    if (series_ != nullptr) [[unlikely]] {
      passed_until_ = std::max(passed_until_, start * data_bytes_per_cycle_) + bytes;
    }
    return start;
  }
  /// Answers a request, `bytes` of which pass the data port. Returns when the answer leaves the slice.
  Cycle respond(const msg::Message& message, std::uint32_t bytes, Cycle now);
  /// Answers a read of an SM with what leaves at `leaves` for another one: on its way to another router, or with it to
  /// the same one (`is_copy`).
  void repeat(const msg::Message& read, bool is_copy, Cycle leaves);
  /// The router of the SM that asks.
  [[nodiscard]] msg::DomainId router_of(const msg::Message& message) const { return ports_.router_of(message); }
  /// A request of an SM has left its place.
  void return_credit(const msg::Message& message, Cycle now) {
    if (!ports_.are_modelled()) {
      return;
    }
    const msg::DomainId router = ports_.router_of(message);
    if (++owed_credits_[router] == ports_.wiring().credit_batch) {
      send_credits(router, now);
    }
  }

  void add_to(stats::L2Counters& counters) const;
  void add_to(stats::NocCounters& counters, Cycle end) const;
  /// For a run that starts at cycle 0 again.
  void restart();
  /// Adds the sectors of SMs to `series` in the cycles in which they pass the data port, of the slice that is their
  /// home where it is asked; null for none. A tick of the series is what a byte takes.
  void record(stats::TrafficSeries* series) {
    series_ = series;
    passed_until_ = 0;
  }

 private:
  void send_credits(msg::DomainId router, Cycle now);

  PartitionPorts& ports_;
  std::uint32_t slice_;
  std::uint32_t data_latency_;
  std::uint32_t data_bytes_per_cycle_;
  std::uint32_t reply_bytes_per_cycle_;
  RateServer data_port_;
  BytePort reply_port_;
  std::uint64_t credits_returned_ = 0;
  std::uint64_t data_bytes_ = 0;
  std::uint64_t reply_sectors_ = 0;
  stats::TrafficSeries* series_ = nullptr;
  std::uint64_t passed_until_ = 0;           ///< the tick at which the latest bytes are through; kept while recording
  std::vector<std::uint32_t> owed_credits_;  ///< by router domain
};

}  // namespace gpusim::mem::l2
