// SPDX-License-Identifier: MIT
// What is to happen at a known time. Events of one time happen in the order in which they were added.
#pragma once

#include <cstdint>
#include <queue>
#include <vector>

#include "sim/system/run/cost.h"
#include "sim/system/run/timeline.h"

namespace gpusim::run {

enum class EventKind : std::uint8_t {
  kThread,  ///< a thread goes on
  kCpu,     ///< a thread may have done its work on the CPU
  kBegin,   ///< an op may begin
  kEnd,     ///< a mark ends
  kAgree    ///< the ranks of a collective are done
};

struct Event {
  double time = 0;
  std::uint64_t order = 0;
  EventKind kind = EventKind::kThread;
  Index id = 0;
};

class Calendar {
 public:
  void add(double time, EventKind kind, Index id) { events_.push(Event{time, order_++, kind, id}); }
  [[nodiscard]] double next() const {
    if (events_.empty()) {
      return kNever;
    }
    return events_.top().time;
  }
  [[nodiscard]] Event take() {
    const Event event = events_.top();
    events_.pop();
    return event;
  }

 private:
  struct Later {
    bool operator()(const Event& a, const Event& b) const {
      return a.time != b.time ? a.time > b.time : a.order > b.order;
    }
  };
  std::priority_queue<Event, std::vector<Event>, Later> events_;
  std::uint64_t order_ = 0;
};

}  // namespace gpusim::run
