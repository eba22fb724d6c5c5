// SPDX-License-Identifier: MIT
#include "sim/machine/mem/noc/reply_ports.h"

#include <algorithm>

namespace gpusim::mem::noc {

ReplyPorts::ReplyPorts(const arch::NocConfig& noc, std::uint32_t sms_per_tpc,
                       const std::vector<msg::DomainId>& sm_domains, engine::Outlet& outlet)
    : noc_(noc),
      outlet_(outlet),
      is_ideal_(noc.model == arch::NocModel::kIdeal),
      sms_per_tpc_(sms_per_tpc),
      tpcs_((sm_domains.size() + sms_per_tpc - 1) / sms_per_tpc) {
  for (const msg::DomainId domain : sm_domains) {
    sms_.push_back({BytePort(), domain});
  }
  restart();
}

void ReplyPorts::restart() {
  multicast_lines_ = 0;
  multicast_kept_sectors_ = 0;
  shared_bytes_ = 0;
  gpc_ = BytePort(noc_.gpc_reply_bytes_per_cycle);
  last_start_ = 0;
  std::fill(tpcs_.begin(), tpcs_.end(), BytePort(noc_.tpc_reply_bytes_per_cycle));
  for (SmPort& sm : sms_) {
    sm.server = BytePort(noc_.sm_reply_bytes_per_cycle);
  }
}

void ReplyPorts::count_multicast(const msg::Message& reply) {
  if (reply.kind() == msg::Kind::kMulticastLine) {
    ++multicast_lines_;
  } else if (reply.kind() == msg::Kind::kMulticastSent) {
    multicast_kept_sectors_ += msg::sector_count(reply.sectors);
  }
}

void ReplyPorts::pass_to_sm(std::uint32_t sm, const msg::Message& reply, Cycle start) {
  SmPort& port = sms_[sm];
  if (!is_ideal_) {
    const std::uint32_t bytes = msg::wire_bytes(reply, noc_.request_header_bytes);
    if (noc_.tpc_reply_bytes_per_cycle != 0) {
      start = tpcs_[sm / sms_per_tpc_].pass(start, bytes);
    }
    start = port.server.pass(start, bytes);
    count_multicast(reply);
  }
  outlet_.send(port.domain, start + noc_.gpc_to_sm_latency, reply);
}

void ReplyPorts::add_to(stats::NocCounters& counters, Cycle end) const {
  counters.multicast_lines += multicast_lines_;
  counters.multicast_kept_sectors += multicast_kept_sectors_;
  counters.shared_reply_bytes += shared_bytes_;
  counters.gpc_reply_bytes += gpc_.bytes();
  counters.gpc_reply_busy_cycles += gpc_.busy_cycles(end);
  counters.gpc_reply_wait_cycles += gpc_.wait_cycles();
  for (const BytePort& tpc : tpcs_) {
    counters.tpc_reply_bytes += tpc.bytes();
    counters.tpc_reply_busy_cycles += tpc.busy_cycles(end);
    counters.tpc_reply_wait_cycles += tpc.wait_cycles();
  }
  for (const SmPort& sm : sms_) {
    counters.sm_reply_bytes += sm.server.bytes();
    counters.sm_reply_busy_cycles += sm.server.busy_cycles(end);
    counters.sm_reply_wait_cycles += sm.server.wait_cycles();
  }
}

}  // namespace gpusim::mem::noc
