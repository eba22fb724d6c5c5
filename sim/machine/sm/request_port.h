// SPDX-License-Identifier: MIT
// The SM's way into the NoC: a finite queue of requests in front of a port of so many bytes a cycle, opened by the
// credits that its GPC router returns.
#pragma once

#include <cstdint>

#include "sim/base/ratio.h"
#include "sim/base/ring.h"
#include "sim/machine/msg/message.h"
#include "sim/machine/sm/sm_event.h"
#include "sim/model/arch/arch.h"

namespace gpusim::sm {

class RequestPort {
 public:
  /// `credits` 0: no back-pressure and no port (noc.model ideal).
  RequestPort(const arch::NocConfig& noc, std::uint32_t capacity, std::uint32_t credits)
      : header_bytes_(noc.request_header_bytes),
        capacity_(capacity),
        credits_(credits),
        ideal_(credits == 0),
        port_(Ratio::of(1, noc.sm_request_bytes_per_cycle)) {}

  [[nodiscard]] bool has_room(std::uint32_t requests) const { return queue_.size() + requests <= capacity_; }
  [[nodiscard]] bool is_empty() const { return queue_.empty() && bulk_.empty(); }
  void push(const msg::Message& message) { queue_.push_back(message); }
  /// The TMA's requests queue beside those of the warps, and the two take turns.
  [[nodiscard]] bool has_bulk_room() const { return bulk_.size() < kBulkEntries; }
  void push_bulk(const msg::Message& message) { bulk_.push_back(message); }
  void add_credits(std::uint32_t count) { credits_ += count; }

  /// Calls `leave(message)` for every request that goes out at `now`, and schedules a kPortFree event when the port
  /// is what keeps the next one.
  template <class Leave>
  void pump(Cycle now, SmEvents& events, Leave&& leave) {
    while (!is_empty()) {
      Ring<msg::Message>& from = next_queue();
      if (!ideal_) {
        if (credits_ == 0) {
          return;
        }
        if (!port_.is_free(now)) {
          if (!wakes_) {
            wakes_ = true;
            events.push(port_.free_at(now), {SmEventKind::kPortFree, 0, lower::ProducerClass::kShort, 0, 0});
          }
          return;
        }
        --credits_;
        port_.take(now, msg::wire_bytes(from.front(), header_bytes_));
      }
      const msg::Message message = from.front();
      from.pop_front();
      bulk_was_last_ = &from == &bulk_;
      leave(message);
    }
  }
  void woken() { wakes_ = false; }

 private:
  static constexpr std::size_t kBulkEntries = 4;  ///< enough to keep the port busy between the TMA's steps

  [[nodiscard]] Ring<msg::Message>& next_queue() {
    const bool bulk = !bulk_.empty() && (queue_.empty() || !bulk_was_last_);
    return bulk ? bulk_ : queue_;
  }

  std::uint32_t header_bytes_;
  std::uint32_t capacity_;
  std::uint32_t credits_;
  bool ideal_;
  bool wakes_ = false;
  RateServer port_;
  Ring<msg::Message> queue_;
  Ring<msg::Message> bulk_;
  bool bulk_was_last_ = false;
};

}  // namespace gpusim::sm
