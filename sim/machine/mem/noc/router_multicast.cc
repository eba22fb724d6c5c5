// SPDX-License-Identifier: MIT
// What one SM asks of L2 and several get: a reply passes the GPC's port once, and from there goes to each SM.
#include <bit>

#include "sim/machine/mem/noc/router.h"

namespace gpusim::mem::noc {

void GpcRouter::announce_multicast(const msg::Message& message, Cycle now) {
  Multicast& copy = multicasts_.announce(message);
  if (message.kind == msg::Kind::kMulticastTo) {
    copy.cluster = message.address;
    copy.others = message.count;
    copy.also_here = message.lanes != 0;
    copy.mbarrier = message.slice;
    return;
  }
  copy.pc = static_cast<std::uint32_t>(message.address);
  copy.units = message.slice;
  copy.lines = message.count;
  if (copy.lines == 0) {  // a box outside the tensor: zeros, which nobody is asked for
    pass_to_others(copy, {}, now);
    multicasts_.forget(message);
  }
}

void GpcRouter::accept_multicast(Multicast& copy, const msg::Message& reply, Cycle now) {
  const Cycle start = through_gpc_port(reply, now);
  --copy.lines;
  if (copy.also_here) {
    pass_to_sm(local_of_sm_[reply.requester], reply, start);
  } else {
    msg::Message sent = reply;
    sent.kind = msg::Kind::kMulticastSent;
    pass_to_sm(local_of_sm_[reply.requester], sent, start);
  }
  pass_to_others(copy, reply, start);
  if (copy.lines == 0) {
    multicasts_.forget(reply);
  }
}

void GpcRouter::pass_to_others(const Multicast& copy, const msg::Message& reply, Cycle start) {
  msg::Message line;
  line.kind = msg::Kind::kMulticastLine;
  line.address = copy.cluster;
  line.token = copy.pc;
  line.slice = copy.mbarrier;
  line.requester = copy.lines == 0 ? copy.units : std::uint16_t{0};
  line.sectors = reply.sectors;
  for (std::uint32_t rest = copy.others; rest != 0; rest &= rest - 1) {
    const auto rank = static_cast<std::uint32_t>(std::countr_zero(rest));
    line.count = static_cast<std::uint16_t>(rank);
    pass_to_sm(clusters_.sm_of(copy.cluster, rank), line, start);
  }
}

}  // namespace gpusim::mem::noc
