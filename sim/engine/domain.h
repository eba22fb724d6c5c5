// SPDX-License-Identifier: MIT
// A domain owns one part of the machine and runs alone on its own events inside a window of time. It hears of others
// only through messages, which were all sent in earlier windows.
#pragma once

#include <algorithm>
#include <cassert>
#include <vector>

#include "sim/base/types.h"
#include "sim/engine/event_wheel.h"
#include "sim/msg/message.h"

namespace gpusim::engine {

/// A message and whom it is for.
struct Envelope {
  msg::DomainId to = 0;
  msg::Message message;
};

class Domain {
 public:
  explicit Domain(msg::DomainId id) : id_(id) {}
  virtual ~Domain() = default;
  Domain(const Domain&) = delete;
  Domain& operator=(const Domain&) = delete;

  /// Handles everything that happens before cycle `end`, in the total order: at one cycle the messages first (by source
  /// and sequence), then the domain's own events. One virtual call a window.
  virtual void run_until(Cycle end) = 0;
  /// The earliest cycle at which the domain has something to do, messages included; kNever when it is idle.
  [[nodiscard]] virtual Cycle next_event() const = 0;

  [[nodiscard]] msg::DomainId id() const { return id_; }

  /// Engine's side: takes what was sent since the last call; hands over a message.
  std::vector<Envelope>& outbox() { return outbox_; }
  void deliver(const msg::Message& message) {
    delivered_.push_back(message);
    next_delivered_ = std::min(next_delivered_, message.time);
  }

 protected:
  /// `arrival` in the receiver's clock, at least one window after the current cycle.
  void send(msg::DomainId to, Cycle arrival, msg::Message message) {
    message.time = arrival;
    message.source = id_;
    message.sequence = sent_++;
    outbox_.push_back({to, message});
  }

  [[nodiscard]] Cycle next_message() const { return std::min(next_delivered_, inbox_.next_time()); }

  /// For a run that starts at cycle 0 again: forgets the time. Nothing may be on its way to or from the domain.
  void restart() {
    assert(inbox_.empty() && delivered_.empty() && outbox_.empty());
    inbox_ = EventWheel<msg::Message>();
    sent_ = 0;
  }

  /// What was delivered since receive() was called last: when a window begins, all that arrives in it, and perhaps
  /// more. A domain may prefetch what handling it will need, since the machine is larger than the host's caches.
  [[nodiscard]] const std::vector<msg::Message>& delivered() const { return delivered_; }

  /// Calls `handle(message)` for every message that arrives at `now`, ordered by source and sequence: the same order
  /// whatever the size of the windows in which they were delivered.
  template <class Handle>
  void receive(Cycle now, Handle&& handle) {
    open_deliveries();
    arrivals_.clear();
    inbox_.pop_all(now, [this](const msg::Message& m) { arrivals_.push_back(m); });
    const auto comes_before = [](const msg::Message& a, const msg::Message& b) {
      return a.source != b.source ? a.source < b.source : a.sequence < b.sequence;
    };
    if (!std::is_sorted(arrivals_.begin(), arrivals_.end(), comes_before)) {
      std::sort(arrivals_.begin(), arrivals_.end(), comes_before);
    }
    for (const msg::Message& message : arrivals_) {
      handle(message);
    }
  }

 private:
  void open_deliveries() {
    for (const msg::Message& message : delivered_) {
      inbox_.push(message.time, message);
    }
    delivered_.clear();
    next_delivered_ = kNever;
  }

  msg::DomainId id_;
  std::uint32_t sent_ = 0;
  std::vector<msg::Message> delivered_;  ///< not yet in the inbox: one after the other, for the writer's sake
  Cycle next_delivered_ = kNever;
  EventWheel<msg::Message> inbox_;
  std::vector<msg::Message> arrivals_;
  std::vector<Envelope> outbox_;
};

}  // namespace gpusim::engine
