// SPDX-License-Identifier: MIT
// A memory partition's ways out: to the GPC routers, and the link to the partition of the other half of L2. It owns the
// link, and the messages that will be ready for it later.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/base/byte_port.h"
#include "sim/base/slot_pool.h"
#include "sim/base/types.h"
#include "sim/machine/engine/domain.h"
#include "sim/machine/mem/l2/events.h"
#include "sim/machine/msg/message.h"
#include "sim/model/arch/noc_config.h"
#include "sim/model/stats/noc_counters.h"

namespace gpusim::mem::l2 {

/// What a partition is connected to.
struct PartitionWiring {
  std::uint32_t index = 0;                  ///< index of this partition
  std::uint32_t credit_batch = 1;           ///< noc::slice_window().batch
  std::vector<msg::DomainId> router_of_sm;  ///< by SM index
  msg::DomainId mirror = 0;                 ///< the partition of the other half; unused with one half
};

class PartitionPorts {
 public:
  PartitionPorts(const arch::NocConfig& noc, PartitionWiring wiring, engine::Outlet& outlet, Calendar& calendar);

  [[nodiscard]] const PartitionWiring& wiring() const { return wiring_; }
  /// False for noc.model ideal: latencies, but no ports and no credits.
  [[nodiscard]] bool are_modelled() const { return are_modelled_; }
  /// That a message takes of a port.
  [[nodiscard]] std::uint32_t bytes_of(const msg::Message& message) const {
    return msg::wire_bytes(message, header_bytes_);
  }
  /// The router that serves the SM of a request or an answer.
  [[nodiscard]] msg::DomainId router_of(const msg::Message& message) const {
    return wiring_.router_of_sm[message.as<msg::SmAccess>().requester];
  }
  /// Leaves at `departs`.
  void send_to_router(msg::DomainId router, const msg::Message& message, Cycle departs) {
    outlet_.send(router, departs + router_latency_, message);
  }
  /// To the other half: leaves when the link is free, not before `ready`.
  void send_far(const msg::Message& message, Cycle ready, Cycle now);
  /// Work::kSendFar.
  void send_waiting(std::uint32_t slot, Cycle now) { depart_far(waiting_.remove(slot), now); }

  void add_to(stats::NocCounters& counters, Cycle end) const;
  [[nodiscard]] bool idle() const { return waiting_.used() == 0; }
  /// For a run that starts at cycle 0 again.
  void restart();

 private:
  void depart_far(const msg::Message& message, Cycle now);

  PartitionWiring wiring_;
  engine::Outlet& outlet_;
  Calendar& calendar_;
  bool are_modelled_;
  std::uint32_t header_bytes_;
  std::uint32_t router_latency_;
  std::uint32_t link_latency_;
  std::uint32_t link_bytes_per_cycle_;
  BytePort link_;
  SlotPool<msg::Message> waiting_;
};

}  // namespace gpusim::mem::l2
