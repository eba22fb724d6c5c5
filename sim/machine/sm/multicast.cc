// SPDX-License-Identifier: MIT
// Copies of the TMA to several CTAs of a cluster (PTX ISA, cp.async.bulk.tensor with .multicast::cluster): the same
// bytes at the same place of each CTA's shared memory, complete at the same mbarrier of each. L2 is asked once; the
// GPC's router, told whom the replies are for, passes them on to every SM.
#include <bit>

#include "sim/machine/sm/memory_unit.h"

namespace gpusim::sm {
namespace {

std::uint16_t count_lines(trace::BoxLines lines) {
  std::uint16_t count = 0;
  for (; !lines.done(); ++count) {
    (void)lines.next();
  }
  return count;
}

}  // namespace

/// Comes to the router before the first request. The two messages take no bandwidth: they stand for what the headers of
/// the requests say.
void MemoryUnit::announce_multicast(const Access& access, std::uint32_t index) {
  TmaCommand& command = tma_[index];
  const RemoteTarget& place = access.origin.remote;
  const auto own = static_cast<std::uint16_t>(1U << place.rank);
  const auto others = static_cast<std::uint16_t>(access.async.multicast & ~own);
  command.delivers_here = (access.async.multicast & own) != 0;
  command.other_ctas = static_cast<std::uint32_t>(std::popcount(others));
  if (others == 0) {
    return;
  }
  msg::Message to;
  to.kind = msg::Kind::kMulticastTo;
  to.token = kTmaToken + index;
  to.requester = place_.index;
  msg::Message size = to;
  to.address = place.cluster;
  to.count = others;
  to.slice = static_cast<std::uint16_t>(command.use.barrier);
  to.lanes = command.delivers_here ? 1 : 0;
  size.kind = msg::Kind::kMulticastSize;
  size.address = command.use.pc;
  size.count = count_lines(command.lines);
  size.slice = static_cast<std::uint16_t>(command.bytes / msg::kBulkUnit);
  departed_.push_back(to);
  departed_.push_back(size);
}

void MemoryUnit::take_multicast_line(const msg::Message& message, std::uint32_t cta, Cycle now) {
  Cycle done = now + 1;
  if (message.sectors != 0) {
    done = take_banks(now) + (l1_config_.hit_latency - lsu_.address_latency);
    dsmem_counters_.multicast_sectors += msg::sector_count(message.sectors);
  }
  if (message.requester != 0) {
    signal_bytes({static_cast<std::uint16_t>(cta), message.slice, message.token},
                 std::uint64_t{message.requester} * msg::kBulkUnit, done);
  }
}

/// A line of a copy that this CTA does not get itself.
void MemoryUnit::multicast_sent(const msg::Message& message, Cycle now) {
  l1_counters_.reply_sectors += msg::sector_count(message.sectors);
  bulk_line_answered(message.token - kTmaToken, now);
}

}  // namespace gpusim::sm
