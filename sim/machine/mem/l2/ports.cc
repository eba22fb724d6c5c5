// SPDX-License-Identifier: MIT
#include "sim/machine/mem/l2/ports.h"

#include <utility>

namespace gpusim::mem::l2 {

PartitionPorts::PartitionPorts(const arch::NocConfig& noc, PartitionWiring wiring, engine::Outlet& outlet,
                               Calendar& calendar)
    : wiring_(std::move(wiring)),
      outlet_(outlet),
      calendar_(calendar),
      are_modelled_(noc.model != arch::NocModel::kIdeal),
      header_bytes_(noc.request_header_bytes),
      router_latency_(noc.l2_to_gpc_latency),
      link_latency_(noc.partition_link_latency),
      link_bytes_per_cycle_(noc.partition_link_bytes_per_cycle) {
  restart();
}

void PartitionPorts::restart() {
  link_ = BytePort(link_bytes_per_cycle_);
}

void PartitionPorts::send_far(const msg::Message& message, Cycle ready, Cycle now) {
  if (ready > now) {
    calendar_.push(ready, {Work::kSendFar, 0, waiting_.take(message)});
  } else {
    depart_far(message, now);
  }
}

void PartitionPorts::depart_far(const msg::Message& message, Cycle now) {
  const Cycle start = are_modelled_ ? link_.pass(now, bytes_of(message)) : now;
  outlet_.send(wiring_.mirror, start + link_latency_, message);
}

void PartitionPorts::add_to(stats::NocCounters& counters, Cycle end) const {
  counters.link_bytes += link_.bytes();
  counters.link_busy_cycles += link_.busy_cycles(end);
  counters.link_wait_cycles += link_.wait_cycles();
}

}  // namespace gpusim::mem::l2
