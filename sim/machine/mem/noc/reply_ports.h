// SPDX-License-Identifier: MIT
// The way of replies through a GPC: its reply port, the TPCs' where there are some, and those of its SMs. Queues in a
// row that never push back: a reply's times are known when it arrives, so none of it is an event. Owns the ports, each
// with its counters.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/base/byte_port.h"
#include "sim/base/types.h"
#include "sim/machine/engine/domain.h"
#include "sim/machine/msg/message.h"
#include "sim/model/arch/noc_config.h"
#include "sim/model/stats/noc_counters.h"

namespace gpusim::mem::noc {

class ReplyPorts {
 public:
  /// `sm_domains`: by an SM's number in the GPC.
  ReplyPorts(const arch::NocConfig& noc, std::uint32_t sms_per_tpc, const std::vector<msg::DomainId>& sm_domains,
             engine::Outlet& outlet);

  /// When a reply that arrives now begins to pass the GPC's port.
  [[nodiscard]] Cycle pass_gpc(const msg::Message& reply, Cycle now) {
    if (is_ideal_) {
      return now;
    }
    last_start_ = gpc_.pass(now, msg::wire_bytes(reply, noc_.request_header_bytes));
    return last_start_;
  }
  /// On to the SM: through its TPC's port and its own, from `start` on.
  void pass_to_sm(std::uint32_t sm, const msg::Message& reply, Cycle start);
  /// A kReadReplyCopy: on to the SM with the reply that has come just before it.
  void pass_copy_to_sm(std::uint32_t sm, const msg::Message& copy) {
    shared_bytes_ += msg::wire_bytes(copy, noc_.request_header_bytes);
    pass_to_sm(sm, copy.as_kind(msg::Kind::kReadReply), last_start_);
  }
  void add_to(stats::NocCounters& counters, Cycle end) const;
  /// For a run that starts at cycle 0 again.
  void restart();

 private:
  void count_multicast(const msg::Message& reply);

  struct SmPort {
    BytePort server;
    msg::DomainId domain = 0;
  };

  const arch::NocConfig& noc_;
  engine::Outlet& outlet_;
  bool is_ideal_;
  std::uint32_t sms_per_tpc_;
  BytePort gpc_;
  Cycle last_start_ = 0;  ///< when the latest reply begins to pass the GPC's port
  std::vector<BytePort> tpcs_;
  std::vector<SmPort> sms_;
  std::uint64_t multicast_lines_ = 0;
  std::uint64_t multicast_kept_sectors_ = 0;
  std::uint64_t shared_bytes_ = 0;
};

}  // namespace gpusim::mem::noc
