// SPDX-License-Identifier: MIT
#include "sim/machine/mem/noc/multicast.h"

#include <bit>

namespace gpusim::mem::noc {

[[gnu::noinline]] void Multicast::announce(const msg::Message& message, Cycle now) {
  if (message.kind() == msg::Kind::kMulticastTo) {
    const auto& to = message.as<msg::MulticastTargets>();
    Copy& copy = copies_[key_of(to)];
    copy.cluster = to.cluster;
    copy.others = to.ranks;
    copy.also_here = to.also_here;
    copy.mbarrier = to.mbarrier;
    return;
  }
  const auto& size = message.as<msg::MulticastSize>();
  Copy& copy = copies_[key_of(size)];
  copy.pc = size.pc;
  copy.units = size.units;
  copy.lines = size.lines;
  if (copy.lines == 0) {  // a box outside the tensor: zeros, which need no request
    pass_to_others(copy, 0, now);
    copies_.erase(key_of(size));
  }
}

[[gnu::noinline]] bool Multicast::pass(const msg::Message& reply, std::uint32_t sm, Cycle now) {
  const auto found = copies_.find(key_of(reply.as<msg::SmAccess>()));
  if (found == copies_.end()) {
    return false;
  }
  Copy& copy = found->second;
  const Cycle start = ports_.pass_gpc(reply, now);
  --copy.lines;
  if (copy.also_here) {
    ports_.pass_to_sm(sm, reply, start);
  } else {
    ports_.pass_to_sm(sm, reply.as_kind(msg::Kind::kMulticastSent), start);
  }
  pass_to_others(copy, reply.sectors, start);
  if (copy.lines == 0) {
    copies_.erase(found);
  }
  return true;
}

void Multicast::pass_to_others(const Copy& copy, std::uint8_t sectors, Cycle start) {
  msg::MulticastLine line{copy.cluster, copy.pc, 0, copy.mbarrier, copy.lines == 0 ? copy.units : std::uint16_t{0}};
  for (std::uint32_t rest = copy.others; rest != 0; rest &= rest - 1) {
    const auto rank = static_cast<std::uint32_t>(std::countr_zero(rest));
    line.rank = static_cast<std::uint16_t>(rank);
    ports_.pass_to_sm(clusters_.sm_of(copy.cluster, rank), msg::make(msg::Kind::kMulticastLine, line, sectors), start);
  }
}

}  // namespace gpusim::mem::noc
