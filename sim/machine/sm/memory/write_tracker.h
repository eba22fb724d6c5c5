// SPDX-License-Identifier: MIT
// Writes under way to L2 and to other CTAs' shared memory, and the fences that wait for them. Owns, by warp slot, how
// many are not acknowledged yet, and which warp of the slot they belong to; and when L2 acknowledged the last one.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/machine/sm/event/sm_event.h"
#include "sim/machine/sm/memory/fence_rounds.h"
#include "sim/machine/sm/memory/reply_token.h"

namespace gpusim::sm {

class WriteTracker {
 public:
  /// `fence_window`: cycles in which a round of fences takes more of them in (fence_rounds.h).
  WriteTracker(std::uint32_t warp_slots, std::uint32_t fence_window, SmEvents& events)
      : events_(events), rounds_(fence_window), warps_(warp_slots) {}

  /// A new warp lives in the slot. Of the last one only acknowledgements may be on their way: they are not its.
  void begin_warp(std::uint16_t warp);

  /// What a write of the warp that lives in the slot now carries, and its acknowledgement brings back.
  [[nodiscard]] ReplyToken token_of(std::uint16_t warp) const { return ReplyToken::write(warp, warps_[warp].tenant); }
  /// Whether the warp that wrote with the token has not left.
  [[nodiscard]] bool is_there(ReplyToken token) const {
    return token != ReplyToken::write_back() && token == token_of(token.warp());
  }

  /// The warp writes so many lines.
  void add(std::uint16_t warp, std::uint32_t lines) { warps_[warp].outstanding += lines; }
  void acknowledge(ReplyToken token, Cycle now);
  /// L2 acknowledges a write of a warp or of the TMA.
  void note_acknowledged(Cycle now) { last_acknowledged_ = now; }
  [[nodiscard]] Cycle last_acknowledged() const { return last_acknowledged_; }

  /// A MEMBAR issued at `now`: a kFenceDone event follows when all writes of the warp are acknowledged, `latency`
  /// cycles from now at the earliest; behind a write, and where it reaches beyond the SM, when its round ends.
  void fence(std::uint16_t warp, std::uint32_t latency, bool leaves_sm, Cycle now);

 private:
  struct Writes {
    std::uint16_t tenant = 0;  ///< counts the slot's warps, to know whose write is acknowledged
    bool fence_waits = false;
    std::uint32_t outstanding = 0;  ///< lines written, not yet acknowledged
    Cycle fence_earliest = 0;
  };

  SmEvents& events_;
  FenceRounds rounds_;
  std::vector<Writes> warps_;  ///< by warp slot
  Cycle last_acknowledged_ = 0;
};

}  // namespace gpusim::sm
