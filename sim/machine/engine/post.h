// SPDX-License-Identifier: MIT
// The messages between domains, from the window in which they were sent to the next: a box for every receiver, one set
// of boxes a worker thread, so that nobody locks and nothing is copied on the way.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

#include "sim/base/prefetch.h"
#include "sim/base/types.h"
#include "sim/machine/msg/message.h"

namespace gpusim::engine {

class Post {
 public:
  /// What one worker has for one domain.
  struct Box {
    std::vector<msg::Message> messages;
    Cycle first = kNever;  ///< arrival of the earliest

    void put(const msg::Message& message) {
      messages.push_back(message);
      first = std::min(first, message.time);
    }
  };

  Post(std::size_t domains, unsigned workers) {
    sent_.fill(std::vector<std::vector<Box>>(workers, std::vector<Box>(domains)));
  }

  /// Where a worker puts what its domains send in this window: a box a receiver.
  [[nodiscard]] Box* outgoing(unsigned worker) { return sent_[now_][worker].data(); }

  /// A window is over, and everything sent in the one before it has been taken: now that sent in this one can be.
  void turn() { now_ = 1 - now_; }

  /// Arrival of the earliest message that `domain` can take; kNever when there is none.
  [[nodiscard]] Cycle first(std::size_t domain) const {
    Cycle first = kNever;
    for (const std::vector<Box>& boxes : sent_[1 - now_]) {
      first = std::min(first, boxes[domain].first);
    }
    return first;
  }

  /// For the host's speed alone: fetches what `domain` can take.
  void prefetch(std::size_t domain) const {
    for (const std::vector<Box>& boxes : sent_[1 - now_]) {
      gpusim::prefetch(boxes[domain].messages);
    }
  }

  /// Calls `visit(message)` for everything that `domain` can take, and forgets it.
  template <class Visit>
  void take(std::size_t domain, Visit&& visit) {
    for (std::vector<Box>& boxes : sent_[1 - now_]) {
      Box& box = boxes[domain];
      for (const msg::Message& message : box.messages) {
        visit(message);
      }
      box.messages.clear();
      box.first = kNever;
    }
  }

 private:
  std::array<std::vector<std::vector<Box>>, 2> sent_;  ///< by window's parity, worker and receiver
  std::size_t now_ = 0;
};

}  // namespace gpusim::engine
