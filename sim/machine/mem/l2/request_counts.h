// SPDX-License-Identifier: MIT
// What a slice counts of the requests that it takes and of what they find. Owns these counts.
#pragma once

#include <cstdint>

#include "sim/machine/msg/message.h"
#include "sim/model/stats/counters.h"

namespace gpusim::mem::l2 {

class RequestCounts {
 public:
  /// A request of an SM has been taken.
  void take(const msg::Message& message);
  /// A read of an SM has been taken that another one's lookup answers.
  void join(const msg::Message& read);
  /// A message that reads its line has been looked up. Writes look nothing up, and sectors of atomics are counted where
  /// they come in.
  void look_up(const msg::Message& message, std::uint8_t missing);
  void restart() { counters_ = {}; }
  [[nodiscard]] const stats::L2Counters& counters() const { return counters_; }

 private:
  stats::L2Counters counters_;
};

}  // namespace gpusim::mem::l2
