// SPDX-License-Identifier: MIT
#include "sim/machine/mem/noc/multicast.h"

#include <bit>

namespace gpusim::mem::noc {

void Multicast::announce(const msg::Message& message, Cycle now) {
  Copy& copy = copies_[key_of(message)];
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
  if (copy.lines == 0) {  // a box outside the tensor: zeros, which need no request
    pass_to_others(copy, {}, now);
    copies_.erase(key_of(message));
  }
}

bool Multicast::pass(const msg::Message& reply, std::uint32_t sm, Cycle now) {
  const auto found = copies_.find(key_of(reply));
  if (found == copies_.end()) {
    return false;
  }
  Copy& copy = found->second;
  const Cycle start = ports_.pass_gpc(reply, now);
  --copy.lines;
  if (copy.also_here) {
    ports_.pass_to_sm(sm, reply, start);
  } else {
    msg::Message sent = reply;
    sent.kind = msg::Kind::kMulticastSent;
    ports_.pass_to_sm(sm, sent, start);
  }
  pass_to_others(copy, reply, start);
  if (copy.lines == 0) {
    copies_.erase(found);
  }
  return true;
}

void Multicast::pass_to_others(const Copy& copy, const msg::Message& reply, Cycle start) {
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
    ports_.pass_to_sm(clusters_.sm_of(copy.cluster, rank), line, start);
  }
}

}  // namespace gpusim::mem::noc
