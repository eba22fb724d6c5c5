// SPDX-License-Identifier: MIT
#include "sim/machine/mem/noc/cluster_unit.h"

#include <algorithm>
#include <cassert>

#include "sim/base/rate_server.h"

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
    sm.to_switch = RateServer(Ratio::of(1, std::max(noc_.dsmem_bytes_per_cycle, 1U)));  // 0: nobody sends
    sm.from_switch = sm.to_switch;
  }
}

void ClusterUnit::handle(const msg::Message& message, Cycle now) {
  if (msg::payload_of(message.kind()) != msg::PayloadType::kClusterMember) {
    pass_on(message, now);
    return;
  }
  const auto& [cluster, rank, sm] = message.as<msg::ClusterMember>();
  switch (message.kind()) {
    case msg::Kind::kCtaPlaced: table_.place(cluster, rank, local_of_sm_[sm]); break;
    case msg::Kind::kClusterArrive: release(cluster, table_.arrive(cluster, rank), now); break;
    case msg::Kind::kClusterExit: release(cluster, table_.exit(cluster, rank), now); break;
    case msg::Kind::kClusterLeave: table_.leave(cluster, rank); break;
    default: assert(false && "not a message for a router");
  }
}

ClusterUnit::Way ClusterUnit::way_of(const msg::Message& message) const {
  if (msg::payload_of(message.kind()) == msg::PayloadType::kDsmemRequest) {
    const auto& request = message.as<msg::DsmemRequest>();
    return {local_of_sm_[request.requester], table_.sm_of(request.cluster, request.rank)};
  }
  const auto& answer = message.as<msg::DsmemAnswer>();
  return {local_of_sm_[answer.server], local_of_sm_[answer.requester]};
}

/// From SM to SM. Two queues in a row that never push back: their times are known on arrival.
void ClusterUnit::pass_on(const msg::Message& message, Cycle now) {
  const Way way = way_of(message);
  SmPorts& from = sms_[way.from];
  SmPorts& to = sms_[way.to];
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
    const msg::ClusterMember member{cluster, static_cast<std::uint16_t>(cta.rank)};
    outlet_.send(sms_[cta.sm].domain, now + arch::NocConfig::from_switch(noc_.cluster_barrier_latency),
                 msg::make(msg::Kind::kClusterRelease, member));
  }
}

}  // namespace gpusim::mem::noc
