// SPDX-License-Identifier: MIT
// A domain owns one part of the machine and runs alone on its own events inside a window of time. It hears of others
// only through messages, which were all sent in earlier windows.
#pragma once

#include <algorithm>
#include <cassert>
#include <span>
#include <vector>

#include "sim/base/types.h"
#include "sim/machine/engine/mailbox.h"
#include "sim/machine/msg/message.h"

namespace gpusim::engine {

class WindowSorter;
struct Window;

/// Where a domain, and the units it is made of, send messages.
class Outlet {
 public:
  explicit Outlet(msg::DomainId id) : id_(id) {}
  Outlet(const Outlet&) = delete;
  Outlet& operator=(const Outlet&) = delete;

  /// `arrival` in the receiver's clock, at least one window after the current cycle.
  void send(msg::DomainId to, Cycle arrival, const msg::Message& message) {
    assert(outgoing_ != nullptr);  // nobody sends before the engine runs
    outgoing_[to].put(message, arrival, static_cast<std::uint16_t>(id_));
  }

 private:
  friend class Domain;
  msg::DomainId id_;
  Mailboxes::Slot* outgoing_ = nullptr;  ///< by receiver
};

class Domain {
 public:
  /// `id` has 16 bits, as Message::source.
  explicit Domain(msg::DomainId id) : outlet_(id) { assert(id == static_cast<std::uint16_t>(id)); }
  virtual ~Domain() = default;
  Domain(const Domain&) = delete;
  Domain& operator=(const Domain&) = delete;

  /// Handles everything that happens before cycle `end`, in the total order: at one cycle the messages first (by
  /// source, and those of one source as it sent them), then the domain's own events. One virtual call a window.
  virtual void run_until(Cycle end) = 0;
  /// The earliest cycle at which the domain has something to do, messages included; kNever when it is idle.
  [[nodiscard]] virtual Cycle next_event() const = 0;

  [[nodiscard]] msg::DomainId id() const { return outlet_.id_; }

  /// Engine's side, on the worker that is about to run the domain: takes its messages, none of which arrives before the
  /// window, and lays out those of the window in order; `outgoing` is where it sends. `sorter`, the worker's own, holds
  /// the window's messages until the next is opened.
  void open_window(const Window& window, Mailboxes& mailboxes, Mailboxes::Slot* outgoing, WindowSorter& sorter);
  /// The last cycle at which it had something to do or might have; 0 before the first.
  [[nodiscard]] Cycle last_awake() const { return last_awake_; }
  /// A message from outside, before a run.
  void deliver(const msg::Message& message) {
    later_.push_back(message);
    next_message_ = std::min(next_message_, message.time);
  }

 protected:
  [[nodiscard]] Outlet& outlet() { return outlet_; }
  void send(msg::DomainId to, Cycle arrival, const msg::Message& message) { outlet_.send(to, arrival, message); }

  [[nodiscard]] Cycle next_message() const { return next_message_; }

  /// For a run that starts at cycle 0 again. Nothing may be on its way to or from the domain.
  void restart() {
    assert(later_.empty() && due_.empty());
    last_awake_ = 0;
  }

  /// The messages of this window that have not been received yet, in order. A domain may prefetch what handling them
  /// will need, since the machine is larger than the host's caches.
  [[nodiscard]] std::span<const msg::Message> due() const { return due_; }

  /// Calls `handle(message)` for every message that arrives at `now`, ordered by source, and those of one source as it
  /// sent them: the same order whatever the size of the windows and whichever thread ran the senders.
  template <class Handle>
  void receive(Cycle now, Handle&& handle) {
    last_awake_ = now;
    std::size_t received = 0;
    for (; received < due_.size() && due_[received].time == now; ++received) {
      handle(due_[received]);
    }
    due_ = due_.subspan(received);
    next_message_ = due_.empty() ? first_later_ : due_.front().time;
  }

 private:
  void take_kept(Cycle end, std::vector<msg::Message>& due);
  void keep(const msg::Message& message);

  Outlet outlet_;
  std::span<const msg::Message> due_;  ///< in the worker's memory, which stays in the host's cache
  std::vector<msg::Message> later_;    ///< arrive after this window
  Cycle first_later_ = kNever;
  Cycle next_message_ = kNever;
  Cycle last_awake_ = 0;
};

}  // namespace gpusim::engine
