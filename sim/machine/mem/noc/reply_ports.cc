// SPDX-License-Identifier: MIT
#include "sim/machine/mem/noc/reply_ports.h"

#include <algorithm>

namespace gpusim::mem::noc {

RateServer port_of(std::uint32_t bytes_per_cycle) {
  return RateServer(Ratio::of(1, std::max(bytes_per_cycle, 1U)));
}

ReplyPorts::ReplyPorts(const arch::NocConfig& noc, std::uint32_t sms_per_tpc,
                       const std::vector<msg::DomainId>& sm_domains, engine::Outlet& outlet)
    : noc_(noc),
      outlet_(outlet),
      is_ideal_(noc.model == arch::NocModel::kIdeal),
      sms_per_tpc_(sms_per_tpc),
      tpcs_((sm_domains.size() + sms_per_tpc - 1) / sms_per_tpc) {
  for (const msg::DomainId domain : sm_domains) {
    sms_.push_back({RateServer(), domain});
  }
  restart();
}

void ReplyPorts::restart() {
  gpc_ = port_of(noc_.gpc_reply_bytes_per_cycle);
  std::fill(tpcs_.begin(), tpcs_.end(), port_of(noc_.tpc_reply_bytes_per_cycle));
  for (SmPort& sm : sms_) {
    sm.server = port_of(noc_.sm_reply_bytes_per_cycle);
  }
}

void ReplyPorts::pass_to_sm(std::uint32_t sm, const msg::Message& reply, Cycle start) {
  SmPort& port = sms_[sm];
  if (!is_ideal_) {
    const std::uint32_t bytes = msg::wire_bytes(reply, noc_.request_header_bytes);
    if (noc_.tpc_reply_bytes_per_cycle != 0) {
      RateServer& tpc = tpcs_[sm / sms_per_tpc_];
      start = tpc.free_at(start);
      tpc.take(start, bytes);
    }
    start = port.server.free_at(start);
    port.server.take(start, bytes);
  }
  outlet_.send(port.domain, start + noc_.gpc_to_sm_latency, reply);
}

}  // namespace gpusim::mem::noc
