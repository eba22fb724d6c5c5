// SPDX-License-Identifier: MIT
#include "sim/machine/sm/memory/request_port.h"

#include "sim/machine/mem/map/address_map.h"
#include "sim/machine/sm/event/completion.h"
#include "sim/machine/sm/memory/coalescer.h"
#include "sim/model/arch/noc_config.h"

namespace gpusim::sm {

RequestPort::RequestPort(const arch::NocConfig& noc, const SmPlace& place, std::uint32_t capacity, SmEvents& events)
    : header_bytes_(noc.request_header_bytes),
      capacity_(capacity),
      credits_(place.request_credits),
      ideal_(credits_ == 0),
      place_(place),
      events_(events),
      port_(noc.sm_request_bytes_per_cycle) {}

msg::Message RequestPort::make_request(msg::Kind kind, const LineAccess& line, ReplyToken token) const {
  const auto address = static_cast<Address>(line.line);
  msg::SmAccess access;
  access.address = address;
  access.token = token.bits();
  access.requester = place_.index;
  const mem::map::NearSlice near = place_.map->near_slice(address, place_.l2_half);
  access.slice = static_cast<std::uint16_t>(near.slice);
  access.is_copy = near.is_mirror ? 1 : 0;
  access.full = line.full & 0xfU;
  if (kind == msg::Kind::kWrite) {
    access.parts = {line.pairs};
  }
  return msg::make(kind, access, line.sectors);
}

/// A store is over, as far as its warp can tell, when its last line has left.
inline void RequestPort::leave(const msg::Message& message, Cycle now) {
  if (message.as<msg::L2Access>().is_last != 0) {
    push_completion(events_,
                    {ReplyToken::of(message).warp(), isa::kNoBarrier, lower::ProducerClass::kLong, lower::kNoProducer},
                    now + 1);
  }
  departed_.push_back(message);
}

[[gnu::flatten]] void RequestPort::send_queued(Cycle now) {
  while (!is_empty()) {
    Ring<msg::Message>& from = next_queue();
    if (!ideal_ && !take_port(from.front(), now)) {
      if (!has_room(1)) [[unlikely]] {
        full_.hold(true, now);
      }
      break;
    }
    leave(from.front(), now);
    from.pop_front();
    bulk_was_last_ = &from == &bulk_;
  }
  if (full_.any() && has_room(1)) [[unlikely]] {
    full_.end(now);
  }
}

bool RequestPort::take_port(const msg::Message& message, Cycle now) {
  if (credits_ == 0) {
    stalled_.hold(true, now);
    return false;
  }
  if (!port_.is_free(now)) {
    if (!wakes_) {
      wakes_ = true;
      events_.push(port_.free_at(now), SmEvent(SmEventKind::kPortFree));
    }
    return false;
  }
  --credits_;
  port_.take(now, msg::wire_bytes(message, header_bytes_));
  return true;
}

void RequestPort::add_to(stats::NocCounters& counters, Cycle end) const {
  if (ideal_) {
    return;
  }
  counters.sm_request_bytes += port_.bytes();
  counters.sm_request_busy_cycles += port_.busy_cycles(end);
  counters.sm_request_full_cycles += full_.cycles(end);
  counters.sm_request_stall_cycles += stalled_.cycles(end);
  counters.sm_credits_taken += place_.request_credits + credits_received_ - credits_;
}

}  // namespace gpusim::sm
