// SPDX-License-Identifier: MIT
// Copies of the TMA to several CTAs of a cluster (PTX ISA, cp.async.bulk.tensor with .multicast::cluster): the same
// bytes at the same place of each CTA's shared memory, complete at the same mbarrier of each. L2 is asked once; the
// GPC's router, told which CTAs the replies are for, passes them on to every SM.
#include <bit>

#include "sim/machine/sm/async/bulk_copy.h"
#include "sim/machine/sm/memory/reply_token.h"

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
void BulkCopyUnit::announce_multicast(const Access& access, std::uint32_t index) {
  TmaCommand& command = tma_[index];
  const DsmemTarget& place = access.origin.dsmem;
  const auto own = static_cast<std::uint16_t>(1U << place.rank);
  const auto others = static_cast<std::uint16_t>(access.async.multicast & ~own);
  command.delivers_here = (access.async.multicast & own) != 0;
  command.other_ctas = static_cast<std::uint32_t>(std::popcount(others));
  if (others == 0) {
    return;
  }
  const msg::MulticastTargets to{place.cluster,
                                 ReplyToken::tma(index).bits(),
                                 sm_index_,
                                 others,
                                 static_cast<std::uint16_t>(command.use.barrier),
                                 command.delivers_here};
  const msg::MulticastSize size{to.token, sm_index_, count_lines(command.lines),
                                static_cast<std::uint16_t>(command.bytes / msg::kBulkUnit), command.use.pc};
  wiring_.port.pass(msg::make(msg::Kind::kMulticastTo, to));
  wiring_.port.pass(msg::make(msg::Kind::kMulticastSize, size));
}

void BulkCopyUnit::take_multicast_line(const msg::Message& message, std::uint32_t cta, Cycle now) {
  Cycle done = now + 1;
  if (message.sectors != 0) {
    done = wiring_.shared.take_pass(now) + wiring_.timing.through_l1();
    dsmem_counters_.multicast_sectors += msg::sector_count(message.sectors);
  }
  const auto& line = message.as<msg::MulticastLine>();
  if (line.complete_units != 0) {
    const std::uint64_t bytes = std::uint64_t{line.complete_units} * msg::kBulkUnit;
    wiring_.shared.count_written(bytes);
    if (line.mbarrier != msg::kNoMbarrier) {
      wiring_.sync.signal_bytes({static_cast<std::uint16_t>(cta), line.mbarrier, line.pc}, bytes, done);
    }
  }
}

void BulkCopyUnit::multicast_sent(const msg::Message& message, Cycle now) {
  l1_counters_.reply_sectors += msg::sector_count(message.sectors);
  line_answered(ReplyToken::of(message).index(), now);
}

}  // namespace gpusim::sm
