// SPDX-License-Identifier: MIT
// Polls that the SM has not answered yet. A poll asks whether something has happened; a TRYWAIT suspends its warp until
// it has, or until a limit, and is then answered no. Nothing is answered no when nobody on the SM could change anything
// before the warp asks again: such polls are held, so that a machine in which only polls remain comes to rest. Owns the
// polls that wait, their deadlines, and the last polls of each warp that were answered no.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "sim/machine/sm/event/sm_event.h"

namespace gpusim::sm {

struct Poll {
  static constexpr std::uint32_t kRegisterPool = 0xffffffffU;
  std::uint16_t warp = 0;  ///< warp slot of the SM
  std::uint16_t cta = 0;   ///< CTA slot
  std::uint32_t pc = 0;
  std::uint32_t object = 0;  ///< number of the mbarrier, or kRegisterPool
  bool parity = false;
  bool try_waits = false;
  bool until_over = false;   ///< the warp does not ask again: it is answered when what it asks for has happened
  std::uint8_t counter = 0;  ///< to lower with the answer
  lower::ProducerClass producer = lower::ProducerClass::kShort;
  std::uint16_t registers = 0;       ///< kRegisterPool: a thread, wanted
  std::uint32_t answer_latency = 0;  ///< cycles from the decision to the counter's release
};

class MbarrierWaitQueue {
 public:
  struct Waiting {
    Poll poll;
    bool spins = false;
    Cycle deadline = 0;  ///< kNever: it has none
  };

  MbarrierWaitQueue(std::uint32_t limit, std::uint32_t warp_slots, SmEvents& events)
      : limit_(limit), failed_(warp_slots), events_(events) {}

  void begin_warp(std::uint16_t warp) { failed_[warp] = {}; }
  /// What is asked for has happened.
  void yes(const Poll& poll, Cycle now);
  /// It has not, so far.
  void not_yet(const Poll& poll, Cycle now);
  /// Answers the waiting polls for which `happened(poll)`, in the order in which they were asked.
  template <class Happened>
  void release(Cycle now, Happened&& happened) {
    for (std::size_t i = 0; i < waiting_.size();) {
      if (happened(waiting_[i].poll)) {
        held_ -= is_held(waiting_[i]) ? 1 : 0;
        yes(waiting_[i].poll, now);
        waiting_.erase(waiting_.begin() + static_cast<std::ptrdiff_t>(i));
      } else {
        ++i;
      }
    }
  }
  /// A kPollDeadline event. `at_rest`: nobody on the SM could change anything.
  void expire(const SmEvent& event, bool at_rest, Cycle now);
  /// Something came from outside: polls that were held go on.
  void wake(Cycle now) {
    if (held_ != 0) {
      wake_held(now);
    }
  }

  /// kPollDeadline events under way.
  [[nodiscard]] std::size_t deadlines() const { return deadlines_; }
  [[nodiscard]] std::span<const Waiting> waiting() const { return waiting_; }
  /// The warp's oldest; null when none waits.
  [[nodiscard]] const Waiting* of_warp(std::uint16_t warp) const;

 private:
  void wake_held(Cycle now);

  /// A poll that failed so often in a row at one place is in a loop that only its success ends.
  static constexpr std::uint32_t kSpins = 16;
  struct Recent {
    std::uint32_t pc = 0;
    std::uint32_t object = 0;
    bool parity = false;
    std::uint32_t failures = 0;
  };
  /// Polls of a warp that failed since its last yes: more than one, since its lanes may poll for different things in
  /// turns.
  struct Failed {
    static constexpr std::size_t kMost = 4;
    std::array<Recent, kMost> polls{};
    std::size_t next = 0;  ///< to be replaced, the oldest
  };

  /// Whether it waits without a deadline until something comes from outside.
  static bool is_held(const Waiting& waiting) { return waiting.deadline == kNever && !waiting.poll.until_over; }
  void no(const Poll& poll, Cycle now);
  void set_deadline(Waiting& waiting, Cycle now);
  /// What is known of earlier failures of the poll; null when it has not failed lately.
  [[nodiscard]] Recent* recent_of(const Poll& poll);

  std::uint32_t limit_;
  std::vector<Failed> failed_;  ///< by warp slot
  std::vector<Waiting> waiting_;
  std::size_t deadlines_ = 0;
  std::size_t held_ = 0;
  SmEvents& events_;
};

}  // namespace gpusim::sm
