// SPDX-License-Identifier: MIT
// What a GPC's router does for the clusters that run there.
#include <cassert>

#include "sim/machine/mem/noc/router.h"

namespace gpusim::mem::noc {

void GpcRouter::handle_cluster(const msg::Message& message, Cycle now) {
  const std::uint64_t cluster = message.address;
  const std::uint32_t rank = message.count;
  switch (message.kind) {
    case msg::Kind::kCtaPlaced: clusters_.place(cluster, rank, local_of_sm_[message.requester]); break;
    case msg::Kind::kClusterArrive: release(cluster, clusters_.arrive(cluster, rank), now); break;
    case msg::Kind::kClusterExit: release(cluster, clusters_.exit(cluster, rank), now); break;
    case msg::Kind::kClusterLeave: clusters_.leave(cluster, rank); break;
    case msg::Kind::kMulticastTo:
    case msg::Kind::kMulticastSize: announce_multicast(message, now); break;
    default: pass_on(message, now);
  }
}

/// From SM to SM. Two queues in a row that never push back: their times are known on arrival.
void GpcRouter::pass_on(const msg::Message& message, Cycle now) {
  const bool answers = message.kind == msg::Kind::kRemoteReply || message.kind == msg::Kind::kRemoteAck ||
                       message.kind == msg::Kind::kRemoteFault;
  assert(answers || msg::asks_remotely(message.kind));
  SmPort& asker = sms_[local_of_sm_[message.requester]];
  SmPort& asked = sms_[answers ? local_of_sm_[message.slice] : clusters_.sm_of(message.address, message.count)];
  SmPort& from = answers ? asked : asker;
  SmPort& to = answers ? asker : asked;
  Cycle start = now;
  if (!is_ideal()) {
    const std::uint32_t bytes = msg::wire_bytes(message, noc_.request_header_bytes);
    start = from.to_sms.free_at(start);
    from.to_sms.take(start, bytes);
    start = to.from_sms.free_at(start);
    to.from_sms.take(start, bytes);
  }
  send(to.domain, start + arch::NocConfig::from_switch(noc_.dsmem_latency), message);
}

void GpcRouter::release(std::uint64_t cluster, const std::vector<ClusterTable::Waiting>& ctas, Cycle now) {
  for (const ClusterTable::Waiting& cta : ctas) {
    msg::Message message;
    message.kind = msg::Kind::kClusterRelease;
    message.address = cluster;
    message.count = static_cast<std::uint16_t>(cta.rank);
    send(sms_[cta.sm].domain, now + arch::NocConfig::from_switch(noc_.cluster_barrier_latency), message);
  }
}

}  // namespace gpusim::mem::noc
