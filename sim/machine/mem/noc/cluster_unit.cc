// SPDX-License-Identifier: MIT
#include "sim/machine/mem/noc/cluster_unit.h"

#include <cassert>

#include "sim/machine/mem/noc/reply_ports.h"

namespace gpusim::mem::noc {

ClusterUnit::ClusterUnit(const arch::NocConfig& noc, const std::vector<msg::DomainId>& sm_domains,
                         const std::vector<std::uint32_t>& local_of_sm, std::uint32_t ctas, engine::Outlet& outlet)
    : noc_(noc),
      local_of_sm_(local_of_sm),
      outlet_(outlet),
      is_ideal_(noc.model == arch::NocModel::kIdeal),
      table_(ctas) {
  for (const msg::DomainId domain : sm_domains) {
    sms_.push_back({domain, {}, {}});
  }
  restart();
}

void ClusterUnit::restart() {
  for (SmPorts& sm : sms_) {
    sm.to_switch = port_of(noc_.dsmem_bytes_per_cycle);
    sm.from_switch = sm.to_switch;
  }
}

void ClusterUnit::handle(const msg::Message& message, Cycle now) {
  const std::uint64_t cluster = message.address;
  const std::uint32_t rank = message.count;
  switch (message.kind) {
    case msg::Kind::kCtaPlaced: table_.place(cluster, rank, local_of_sm_[message.requester]); break;
    case msg::Kind::kClusterArrive: release(cluster, table_.arrive(cluster, rank), now); break;
    case msg::Kind::kClusterExit: release(cluster, table_.exit(cluster, rank), now); break;
    case msg::Kind::kClusterLeave: table_.leave(cluster, rank); break;
    default: pass_on(message, now);
  }
}

/// From SM to SM. Two queues in a row that never push back: their times are known on arrival.
void ClusterUnit::pass_on(const msg::Message& message, Cycle now) {
  const bool answers = message.kind == msg::Kind::kRemoteReply || message.kind == msg::Kind::kRemoteAck ||
                       message.kind == msg::Kind::kRemoteFault;
  assert(answers || msg::asks_remotely(message.kind));
  SmPorts& asker = sms_[local_of_sm_[message.requester]];
  SmPorts& asked = sms_[answers ? local_of_sm_[message.slice] : table_.sm_of(message.address, message.count)];
  SmPorts& from = answers ? asked : asker;
  SmPorts& to = answers ? asker : asked;
  Cycle start = now;
  if (!is_ideal_) {
    const std::uint32_t bytes = msg::wire_bytes(message, noc_.request_header_bytes);
    start = from.to_switch.free_at(start);
    from.to_switch.take(start, bytes);
    start = to.from_switch.free_at(start);
    to.from_switch.take(start, bytes);
  }
  outlet_.send(to.domain, start + arch::NocConfig::from_switch(noc_.dsmem_latency), message);
}

void ClusterUnit::release(std::uint64_t cluster, const std::vector<ClusterTable::Waiting>& ctas, Cycle now) {
  for (const ClusterTable::Waiting& cta : ctas) {
    msg::Message message;
    message.kind = msg::Kind::kClusterRelease;
    message.address = cluster;
    message.count = static_cast<std::uint16_t>(cta.rank);
    outlet_.send(sms_[cta.sm].domain, now + arch::NocConfig::from_switch(noc_.cluster_barrier_latency), message);
  }
}

}  // namespace gpusim::mem::noc
