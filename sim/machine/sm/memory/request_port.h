// SPDX-License-Identifier: MIT
// The SM's way into the NoC: a finite queue of requests in front of a port of so many bytes a cycle, opened by the
// credits that its GPC router returns. Owns the queues of the warps' requests and of the TMA's, and what left in this
// cycle.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/base/byte_port.h"
#include "sim/base/open_spans.h"
#include "sim/base/ring.h"
#include "sim/machine/msg/message.h"
#include "sim/machine/sm/event/sm_event.h"
#include "sim/machine/sm/memory/place.h"
#include "sim/machine/sm/memory/reply_token.h"
#include "sim/model/stats/noc_counters.h"

namespace gpusim::arch {
struct NocConfig;
}

namespace gpusim::sm {

struct LineAccess;

class RequestPort {
 public:
  /// Without credits in `place` there is neither back-pressure nor a port (noc.model ideal).
  RequestPort(const arch::NocConfig& noc, const SmPlace& place, std::uint32_t capacity, SmEvents& events);

  /// A request for a line, on its way to the slice near this SM that is responsible for it.
  [[nodiscard]] msg::Message make_request(msg::Kind kind, const LineAccess& line, ReplyToken token) const;

  [[nodiscard]] bool has_room(std::uint32_t requests) const { return queue_.size() + requests <= capacity_; }
  [[nodiscard]] bool is_empty() const { return queue_.empty() && bulk_.empty(); }
  void push(const msg::Message& message) { queue_.push_back(message); }
  /// The TMA's requests queue beside those of the warps, and the two take turns.
  [[nodiscard]] bool has_bulk_room() const { return bulk_.size() < kBulkEntries; }
  void push_bulk(const msg::Message& message) { bulk_.push_back(message); }
  void add_credits(std::uint32_t count, Cycle now) {
    credits_ += count;
    credits_received_ += count;
    stalled_.hold(false, now);
  }
  /// What takes no bandwidth leaves at once.
  void pass(const msg::Message& message) { departed_.push_back(message); }

  /// Every request that can goes out at `now`. A kPortFree event follows when the port is what keeps the next one.
  void pump(Cycle now) {
    const bool waits_for_port = wakes_ && credits_ != 0 && !port_.is_free(now) && has_room(1) != full_.any();
    if (!is_empty() && !waits_for_port) {
      send_queued(now);
    }
  }
  /// A kPortFree event.
  void woken() { wakes_ = false; }

  /// What still holds at `end`, now, counts up to there.
  void add_to(stats::NocCounters& counters, Cycle end) const;

  /// Requests that left since the owner last cleared them.
  [[nodiscard]] std::vector<msg::Message>& departed() { return departed_; }

 private:
  static constexpr std::size_t kBulkEntries = 4;  ///< enough to keep the port busy between the TMA's steps

  [[nodiscard]] Ring<msg::Message>& next_queue() {
    const bool bulk = !bulk_.empty() && (queue_.empty() || !bulk_was_last_);
    return bulk ? bulk_ : queue_;
  }
  /// Takes a credit and the port for the message; false when one of them is missing.
  [[nodiscard]] bool take_port(const msg::Message& message, Cycle now);
  void leave(const msg::Message& message, Cycle now);
  void send_queued(Cycle now);

  std::uint32_t header_bytes_;
  std::uint32_t capacity_;
  std::uint32_t credits_;
  bool ideal_;
  bool wakes_ = false;  ///< a kPortFree event is scheduled
  bool bulk_was_last_ = false;
  SmPlace place_;
  SmEvents& events_;
  BytePort port_;
  std::uint64_t credits_received_ = 0;
  OpenSpans full_;     ///< the warps' queue has no place
  OpenSpans stalled_;  ///< a request waits for a credit
  Ring<msg::Message> queue_;
  Ring<msg::Message> bulk_;
  std::vector<msg::Message> departed_;
};

}  // namespace gpusim::sm
