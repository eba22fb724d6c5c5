// SPDX-License-Identifier: MIT
#include "sim/machine/mem/noc/cluster_unit.h"

#include <cassert>

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
  dsmem_messages_ = 0;
  for (SmPorts& sm : sms_) {
    sm.to_switch = BytePort(noc_.dsmem_bytes_per_cycle);
    sm.from_switch = sm.to_switch;
  }
}

[[gnu::noinline]] void ClusterUnit::handle(const msg::Message& message, Cycle now) {
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
  const msg::PayloadType payload = msg::payload_of(message.kind());
  if (payload == msg::PayloadType::kDsmemAccess || payload == msg::PayloadType::kMbarrierRequest) {
    const auto& request = message.as<msg::DsmemAsk>();
    return {local_of_sm_[request.requester], table_.sm_of(request.cluster, request.rank)};
  }
  const auto& reply = message.as<msg::DsmemReply>();
  return {local_of_sm_[reply.server], local_of_sm_[reply.requester]};
}

/// From SM to SM. Two queues in a row that never push back: their times are known on arrival.
void ClusterUnit::pass_on(const msg::Message& message, Cycle now) {
  const Way way = way_of(message);
  SmPorts& from = sms_[way.from];
  SmPorts& to = sms_[way.to];
  Cycle start = now;
  if (!is_ideal_) {
    const std::uint32_t bytes = msg::wire_bytes(message, noc_.request_header_bytes);
    start = from.to_switch.pass(start, bytes);
    start = to.from_switch.pass(start, bytes);
    ++dsmem_messages_;
  }
  outlet_.send(to.domain, start + arch::NocConfig::from_switch(noc_.dsmem_latency), message);
}

void ClusterUnit::add_to(stats::NocCounters& counters, Cycle end) const {
  counters.dsmem_messages += dsmem_messages_;
  for (const SmPorts& sm : sms_) {
    counters.dsmem_send_bytes += sm.to_switch.bytes();
    counters.dsmem_send_busy_cycles += sm.to_switch.busy_cycles(end);
    counters.dsmem_send_wait_cycles += sm.to_switch.wait_cycles();
    counters.dsmem_receive_bytes += sm.from_switch.bytes();
    counters.dsmem_receive_busy_cycles += sm.from_switch.busy_cycles(end);
    counters.dsmem_receive_wait_cycles += sm.from_switch.wait_cycles();
  }
}

void ClusterUnit::release(std::uint64_t cluster, const std::vector<ClusterTable::Waiting>& ctas, Cycle now) {
  for (const ClusterTable::Waiting& cta : ctas) {
    const msg::ClusterMember member{cluster, static_cast<std::uint16_t>(cta.rank)};
    outlet_.send(sms_[cta.sm].domain, now + arch::NocConfig::from_switch(noc_.cluster_barrier_latency),
                 msg::make(msg::Kind::kClusterRelease, member));
  }
}

}  // namespace gpusim::mem::noc
