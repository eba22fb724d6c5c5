// SPDX-License-Identifier: MIT
// What one SM asks of L2 and several CTAs of its cluster get: this unit of a GPC's router owns the copies that are
// under way, and says which replies go where besides the SM that asked, and what they complete there. Such a reply
// passes the GPC's port once, and from there goes to each SM.
#pragma once

#include <cstdint>
#include <unordered_map>

#include "sim/base/types.h"
#include "sim/machine/mem/noc/cluster_unit.h"
#include "sim/machine/mem/noc/reply_ports.h"
#include "sim/machine/msg/message.h"

namespace gpusim::mem::noc {

class Multicast {
 public:
  Multicast(const ClusterUnit& clusters, ReplyPorts& ports) : clusters_(clusters), ports_(ports) {}

  /// kMulticastTo, then kMulticastSize.
  void announce(const msg::Message& message, Cycle now);
  /// A reply to SM `sm` of the GPC: whether it is a copy's. It is passed on then.
  [[nodiscard]] bool takes(const msg::Message& reply, std::uint32_t sm, Cycle now) {
    return !copies_.empty() && pass(reply, sm, now);
  }

  [[nodiscard]] bool idle() const { return copies_.empty(); }

 private:
  struct Copy {
    std::uint64_t cluster = 0;
    std::uint16_t others = 0;  ///< ranks (mask) that get the lines, but for the CTA that asks
    bool also_here = false;    ///< that CTA gets them too
    std::uint16_t mbarrier = 0;
    std::uint32_t pc = 0;
    std::uint16_t units = 0;  ///< units of msg::kBulkUnit bytes that are complete with the last line
    std::uint32_t lines = 0;  ///< not yet passed on
  };
  /// An SM has one request for several lines under way by a token. `about`: a payload that names both.
  template <class About>
  static std::uint64_t key_of(const About& about) {
    return std::uint64_t{about.requester} << 32U | about.token;
  }
  [[nodiscard]] bool pass(const msg::Message& reply, std::uint32_t sm, Cycle now);
  void pass_to_others(const Copy& copy, std::uint8_t sectors, Cycle start);

  const ClusterUnit& clusters_;
  ReplyPorts& ports_;
  std::unordered_map<std::uint64_t, Copy> copies_;  ///< never walked through
};

}  // namespace gpusim::mem::noc
