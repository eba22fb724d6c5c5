// SPDX-License-Identifier: MIT
// The ports of TPCs, where an architecture has some: between the SMs' and the GPC's.
#include <algorithm>

#include "sim/machine/mem/noc/router.h"

namespace gpusim::mem::noc {

/// When a request of an SM can pass the ports of its TPC and its GPC, as far as is known now.
Cycle GpcRouter::request_may_start(std::uint32_t sm, Cycle now) const {
  const Cycle in_gpc = request_port_.free_at(now);
  return noc_.tpc_request_bytes_per_cycle == 0 ? in_gpc
                                               : std::max(in_gpc, tpcs_[sm / sms_per_tpc_].request.free_at(now));
}

void GpcRouter::take_request_ports(std::uint32_t sm, std::uint32_t bytes, Cycle now) {
  request_port_.take(now, bytes);
  if (noc_.tpc_request_bytes_per_cycle != 0) {
    tpcs_[sm / sms_per_tpc_].request.take(now, bytes);
  }
}

/// When a reply that leaves the GPC's port at `start` begins to pass its TPC's.
Cycle GpcRouter::through_tpc_port(std::uint32_t sm, std::uint32_t bytes, Cycle start) {
  if (noc_.tpc_reply_bytes_per_cycle == 0) {
    return start;
  }
  RateServer& port = tpcs_[sm / sms_per_tpc_].reply;
  const Cycle begins = port.free_at(start);
  port.take(begins, bytes);
  return begins;
}

void GpcRouter::park(std::uint32_t sm, Cycle until) {
  append(parked_, sm);
  unpark_at_ = std::min(unpark_at_, until);
}

/// Those whose TPC's port is free are ready again, in the order in which they were parked.
void GpcRouter::unpark(Cycle now) {
  if (now < unpark_at_) {
    return;
  }
  SmList waiting;
  std::swap(waiting, parked_);
  unpark_at_ = kNever;
  while (waiting.head != kNone) {
    const std::uint32_t sm = take_first(waiting);
    if (const Cycle free = tpcs_[sm / sms_per_tpc_].request.free_at(now); free > now) {
      park(sm, free);
    } else {
      append(ready_, sm);
    }
  }
}

}  // namespace gpusim::mem::noc
