// SPDX-License-Identifier: MIT
// The messages between domains, from the window in which they were sent to the next: a slot for every receiver, one set
// of slots a worker thread, so that nobody locks and nothing is copied on the way.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sim/base/types.h"
#include "sim/machine/msg/message.h"

namespace gpusim::engine {

class Mailboxes {
 public:
  /// What one worker has for one domain.
  class Slot {
   public:
    void put(const msg::Message& message, Cycle arrival, std::uint16_t source) {
      if (size_ == capacity_) [[unlikely]] {
        grow_and_put(message, arrival, source);
        return;
      }
      msg::Message& sent = messages_[size_++];
      sent = message;
      sent.time = arrival;
      sent.source = source;
      first_ = std::min(first_, arrival);
    }
    /// In the order of sending.
    [[nodiscard]] std::span<const msg::Message> messages() const { return {messages_.data(), size_}; }
    /// Arrival of the earliest; kNever when there is none.
    [[nodiscard]] Cycle first() const { return first_; }
    void clear() {
      size_ = 0;
      first_ = kNever;
    }

   private:
    // Rare: apart from the common case, which is inlined into all senders.
    [[gnu::noinline, gnu::cold]] void grow_and_put(const msg::Message& message, Cycle arrival, std::uint16_t source) {
      messages_.resize(std::max<std::size_t>(8, 2 * size_));
      capacity_ = messages_.size();
      put(message, arrival, source);
    }

    std::vector<msg::Message> messages_;
    std::size_t size_ = 0;      ///< number of messages that count
    std::size_t capacity_ = 0;  ///< size of messages_
    Cycle first_ = kNever;
  };

  Mailboxes(std::size_t domains, unsigned workers) {
    sent_.fill(std::vector<std::vector<Slot>>(workers, std::vector<Slot>(domains)));
  }

  /// Where a worker puts what its domains send in this window: a slot a receiver.
  [[nodiscard]] Slot* outgoing(unsigned worker) { return sent_[now_][worker].data(); }

  /// A window is over, and everything sent in the one before it has been taken: now that sent in this one can be.
  void swap() { now_ = 1 - now_; }

  /// Arrival of the earliest message that `domain` can take; kNever when there is none.
  [[nodiscard]] Cycle first(std::size_t domain) const {
    Cycle first = kNever;
    for (const std::vector<Slot>& slots : sent_[1 - now_]) {
      first = std::min(first, slots[domain].first());
    }
    return first;
  }

  /// Calls `visit(message)` for everything that `domain` can take: what one worker sent in the order of sending.
  template <class Visit>
  void for_each(std::size_t domain, Visit&& visit) const {
    for (const std::vector<Slot>& slots : sent_[1 - now_]) {
      for (const msg::Message& message : slots[domain].messages()) {
        visit(message);
      }
    }
  }

  /// `domain` has taken all there was for it.
  void clear(std::size_t domain) {
    for (std::vector<Slot>& slots : sent_[1 - now_]) {
      slots[domain].clear();
    }
  }

 private:
  std::array<std::vector<std::vector<Slot>>, 2> sent_;  ///< by window's parity, worker and receiver
  std::size_t now_ = 0;
};

}  // namespace gpusim::engine
