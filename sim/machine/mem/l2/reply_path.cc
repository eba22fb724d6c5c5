// SPDX-License-Identifier: MIT
#include "sim/machine/mem/l2/reply_path.h"

#include <algorithm>
#include <utility>

#include "sim/base/rate_server.h"
#include "sim/model/arch/l2_config.h"
#include "sim/model/arch/noc_config.h"

namespace gpusim::mem::l2 {
using msg::Kind;

ReplyPath::ReplyPath(const arch::L2Config& l2, const arch::NocConfig& noc, std::uint32_t slice, PartitionPorts& ports)
    : ports_(ports),
      slice_(slice),
      data_latency_(l2.data_latency),
      data_bytes_per_cycle_(l2.slice_bytes_per_cycle),
      reply_bytes_per_cycle_(noc.slice_reply_bytes_per_cycle) {
  std::size_t routers = 0;
  for (const msg::DomainId router : ports.wiring().router_of_sm) {
    routers = std::max<std::size_t>(routers, router + std::size_t{1});
  }
  owed_credits_.resize(routers);
  restart();
}

void ReplyPath::restart() {
  data_port_ = RateServer(Ratio::of(1, data_bytes_per_cycle_));
  reply_port_ = BytePort(reply_bytes_per_cycle_);
  credits_returned_ = 0;
  data_bytes_ = 0;
  reply_sectors_ = 0;
  owed_credits_.assign(owed_credits_.size(), 0);
}

Cycle ReplyPath::respond(const msg::Message& message, std::uint32_t bytes, Cycle now) {
  const Cycle departs = use_data_port(bytes, now) + data_latency_;
  // If a request goes on to the other half, the home slice counts writes and atomics, and the first slice counts reads.
  if (series_ != nullptr && bytes != 0 && message.kind() != Kind::kFarRead) [[unlikely]] {
    series_->add(&stats::TrafficCounters::l2_sectors, passed_until_ - bytes, passed_until_, bytes / kSectorBytes);
  }
  const msg::Message reply = message.as_kind(msg::answer_to(message.kind()));
  if (reply.kind() == Kind::kFarReadReply || reply.kind() == Kind::kFarAck) {
    ports_.send_far(reply, departs, now);
    return departs;
  }
  if (reply.kind() == Kind::kReadReply) {
    reply_sectors_ += msg::sector_count(message.sectors);
  }
  Cycle start = departs;
  if (ports_.are_modelled()) {
    start = reply_port_.pass(departs, ports_.bytes_of(reply));
  }
  ports_.send_to_router(ports_.router_of(reply), reply, start);
  return start;
}

void ReplyPath::repeat(const msg::Message& read, bool is_copy, Cycle leaves) {
  reply_sectors_ += msg::sector_count(read.sectors);
  const msg::Kind kind = is_copy ? Kind::kReadReplyCopy : Kind::kReadReply;
  ports_.send_to_router(ports_.router_of(read), read.as_kind(kind), leaves);
}

void ReplyPath::send_credits(msg::DomainId router, Cycle now) {
  const msg::SliceCredit credit{static_cast<std::uint16_t>(slice_),
                                static_cast<std::uint16_t>(std::exchange(owed_credits_[router], 0))};
  credits_returned_ += credit.places;
  ports_.send_to_router(router, msg::make(Kind::kSliceCredit, credit), now);
}

void ReplyPath::add_to(stats::NocCounters& counters, Cycle end) const {
  counters.slice_reply_bytes += reply_port_.bytes();
  counters.slice_reply_busy_cycles += reply_port_.busy_cycles(end);
  counters.slice_reply_wait_cycles += reply_port_.wait_cycles();
  counters.slice_credits_returned += credits_returned_;
  for (const std::uint32_t owed : owed_credits_) {
    counters.slice_credits_returned += owed;
  }
}

void ReplyPath::add_to(stats::L2Counters& counters) const {
  counters.reply_sectors += reply_sectors_;
  counters.busy_cycles += (data_bytes_ + data_bytes_per_cycle_ - 1) / data_bytes_per_cycle_;
}

}  // namespace gpusim::mem::l2
