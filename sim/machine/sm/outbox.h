// SPDX-License-Identifier: MIT
// What the units of an SM have to say to other domains in this cycle. The SM sends it in this order. Owns the letters
// until they are sent.
#pragma once

#include <vector>

#include "sim/base/types.h"
#include "sim/machine/msg/message.h"

namespace gpusim::sm {

class Outbox {
 public:
  [[nodiscard]] bool is_empty() const { return letters_.empty(); }
  void put(msg::DomainId to, Cycle arrival, const msg::Message& message) { letters_.push_back({to, arrival, message}); }

  /// Calls `send(to, arrival, message)` for each, and forgets them.
  template <class Send>
  void empty(Send&& send) {
    for (const Letter& letter : letters_) {
      send(letter.to, letter.arrival, letter.message);
    }
    letters_.clear();
  }

 private:
  struct Letter {
    msg::DomainId to = 0;
    Cycle arrival = 0;
    msg::Message message;
  };
  std::vector<Letter> letters_;
};

}  // namespace gpusim::sm
