// SPDX-License-Identifier: MIT
// What a GPC's router does for the clusters that run there.
#include <cassert>

#include "sim/mem/noc/router.h"

namespace gpusim::mem::noc {

void GpcRouter::handle_cluster(const msg::Message& message, Cycle now) {
  const std::uint64_t cluster = message.address;
  const std::uint32_t rank = message.count;
  switch (message.kind) {
    case msg::Kind::kCtaPlaced: clusters_.place(cluster, rank, local_of_sm_[message.requester]); break;
    case msg::Kind::kClusterArrive: release(cluster, clusters_.arrive(cluster, rank), now); break;
    case msg::Kind::kClusterExit: release(cluster, clusters_.exit(cluster, rank), now); break;
    case msg::Kind::kClusterLeave: clusters_.leave(cluster, rank); break;
    default: assert(false && "no router carries this kind of message");
  }
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
