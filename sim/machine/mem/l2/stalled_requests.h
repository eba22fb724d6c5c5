// SPDX-License-Identifier: MIT
// Requests behind a slice's tags that lack a place. Owns them, what the first of each origin lacks, when they may move
// next, and since when they wait for what.
#pragma once

#include <cstddef>
#include <cstdint>

#include "sim/base/open_spans.h"
#include "sim/base/ring.h"
#include "sim/base/types.h"
#include "sim/machine/mem/l2/events.h"
#include "sim/machine/msg/message.h"
#include "sim/model/stats/noc_counters.h"

namespace gpusim::mem::l2 {

/// Requests of SMs and those of the mirror slice never wait for each other: the mirror's wait for DRAM alone, so the
/// two halves cannot wait for each other in a circle. In each origin they keep their order.
class StalledRequests {
 public:
  /// `slice` counts in the partition.
  StalledRequests(Calendar& calendar, std::uint16_t slice) : calendar_(calendar), slice_(slice) {}

  /// Whether a request from where this one comes waits already.
  [[nodiscard]] bool has_before(const msg::Message& message) const { return !of(message).requests.empty(); }
  /// Waits behind the others of its origin; `need` is what it lacks where there are none.
  void push(const Request& request, Need need, Cycle now);

  /// Whether a request may move at `now`. Where one may move later, a kResume follows.
  template <class IsMet>
  [[nodiscard]] bool wake(Cycle now, const IsMet& is_met) {
    if (resume_pending_ || !(can_resume(near_, is_met) || can_resume(far_, is_met))) {
      return false;
    }
    if (now >= resume_from_) {
      return true;
    }
    resume_pending_ = true;
    calendar_.push(resume_from_, {Work::kResume, slice_, 0});
    return false;
  }
  /// The first of each origin moves, where what it lacked is there; `process` returns what it lacks now.
  template <class IsMet, class Process>
  void resume(Cycle now, const IsMet& is_met, const Process& process) {
    resume_pending_ = false;
    resume_from_ = now + 1;
    for (Stalled* stalled : {&near_, &far_}) {
      if (can_resume(*stalled, is_met)) {
        stalled->need = process(stalled->requests.front());
        if (stalled->need == Need::kNothing) {
          stalled->requests.pop_front();
        }
      }
    }
    count(now);
  }

  [[nodiscard]] std::size_t size() const { return near_.requests.size() + far_.requests.size(); }
  /// What still holds at `end`, now, counts up to there.
  void add_to(stats::NocCounters& counters, Cycle end) const;
  /// For a run that starts at cycle 0 again.
  void restart();

 private:
  struct Stalled {
    Ring<Request> requests;
    Need need = Need::kNothing;  ///< what the first lacks, as far as is known
    [[nodiscard]] bool lacks(Need what) const { return !requests.empty() && need == what; }
  };

  [[nodiscard]] const Stalled& of(const msg::Message& message) const { return is_from_mirror(message) ? far_ : near_; }
  template <class IsMet>
  [[nodiscard]] static bool can_resume(const Stalled& stalled, const IsMet& is_met) {
    return !stalled.requests.empty() && is_met(stalled.need);
  }
  void count(Cycle now);

  Calendar& calendar_;
  std::uint16_t slice_;
  Stalled near_;
  Stalled far_;
  Cycle resume_from_ = 0;  ///< the first cycle at which requests may move again
  bool resume_pending_ = false;
  OpenSpans any_;
  OpenSpans for_mirror_;  ///< the first needs a place in the other half
  OpenSpans for_dram_;    ///< the first needs a place on the way to DRAM
};

}  // namespace gpusim::mem::l2
