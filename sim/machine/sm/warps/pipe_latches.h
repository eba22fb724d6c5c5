// SPDX-License-Identifier: MIT
// What keeps a sub-core from issuing: the input latches of its pipes, each closed until the pipe can take the next
// instruction, and bubbles, in which nothing may issue. Owns both.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cstddef>
#include <cstdint>

#include "sim/base/rate_server.h"
#include "sim/base/ratio.h"
#include "sim/base/types.h"
#include "sim/model/isa/timing.h"

namespace gpusim::sm {

/// Cycles in which the sub-core may issue nothing: the allocate stage waits for a register port and holds what is above
/// it.
class IssueBubble {
 public:
  /// Nothing may issue in [from, from + cycles), with `from` behind the last bubble.
  void insert(Cycle from, Cycle cycles) {
    from_ = from;
    until_ = from + cycles;
    total_ += cycles;
  }
  [[nodiscard]] Cycle until() const { return until_; }
  [[nodiscard]] bool covers(Cycle at) const { return at < until_ && at >= from_; }
  /// Cycles of bubbles before `at`, which is not before the last bubble.
  [[nodiscard]] std::uint64_t bubbles_before(Cycle at) const { return total_ - (until_ > at ? until_ - at : 0); }

 private:
  Cycle from_ = 0;
  Cycle until_ = 0;
  std::uint64_t total_ = 0;
};

/// A pipe's input latch, as far as its closed cycles are counted. Closed from the cycle after an issue until the pipe
/// can take the next instruction; the load/store queue's latch is closed while the queue is full.
class PipeLatch {
 public:
  /// An instruction entered at `now` and keeps the latch for its interval. Returns the cycle at which it opens again.
  Cycle take(Cycle now, Ratio interval) {
    if (interval != interval_) {
      server_ = RateServer(interval);
      interval_ = interval;
    }
    const Cycle opens = server_.take(now, 1);
    if (opens > now + 1) {
      closed_total_ += opens - (now + 1);
    }
    return opens;
  }
  void close(Cycle from, const IssueBubble& issue) {
    kept_closed_ = true;
    closed_since_ = from;
    bubbles_at_close_ = issue.bubbles_before(from);
  }
  void open(Cycle now, const IssueBubble& issue) {
    closed_total_ = closed_before(now, issue);
    kept_closed_ = false;
  }
  /// Nothing issues in [from, until), whether the latch is closed or not: these cycles are not the pipe's.
  void discount(Cycle from, Cycle until) {
    if (opens_at() > from) {
      closed_total_ -= std::min(opens_at(), until) - from;
    }
  }
  /// When it opens, or has opened, unless it is kept closed.
  [[nodiscard]] Cycle opens_at() const { return server_.free_at(0); }
  /// Cycles before `at` in which the latch was closed and no bubble kept everything from issuing; `at` is after the
  /// last take() and not before the last open() or discount().
  [[nodiscard]] std::uint64_t closed_before(Cycle at, const IssueBubble& issue) const {
    if (kept_closed_) {
      return closed_total_ +
             (at > closed_since_ ? at - closed_since_ - (issue.bubbles_before(at) - bubbles_at_close_) : 0);
    }
    const Cycle counted = std::max(at, issue.until());  // what is left of a bubble has been discounted
    return closed_total_ - (server_.free_at(counted) - counted);
  }

 private:
  Ratio interval_{1, 1};
  RateServer server_;
  Cycle closed_since_ = 0;
  std::uint64_t bubbles_at_close_ = 0;  ///< cycles of bubbles when the latch was closed
  std::uint64_t closed_total_ = 0;
  bool kept_closed_ = false;
};

class PipeLatches {
 public:
  /// An instruction of `pipe` issued at `now`. Returns the cycle at which the latch opens again.
  Cycle take(isa::Pipe pipe, Cycle now, Ratio interval) {
    assert(is_open(pipe, now));
    const Cycle opens = of(pipe).take(now, interval);
    opens_[index_of(pipe)] = opens;
    if (opens > now + 1) {
      maybe_closed_ |= bit(pipe);
    }
    return opens;
  }
  /// The load/store queue is full from `from` on / has room at `now`.
  void close(isa::Pipe pipe, Cycle from) {
    of(pipe).close(from, bubble_);
    opens_[index_of(pipe)] = kNever;
    maybe_closed_ |= bit(pipe);
  }
  void open(isa::Pipe pipe, Cycle now) {
    of(pipe).open(now, bubble_);
    opens_[index_of(pipe)] = of(pipe).opens_at();
  }

  /// When the pipe's latch opens, or has opened; kNever while it is kept closed.
  [[nodiscard]] Cycle opens_at(isa::Pipe pipe) const { return opens_[index_of(pipe)]; }
  /// `at` is a cycle in which nothing has issued yet.
  [[nodiscard]] bool is_open(isa::Pipe pipe, Cycle at) const { return opens_at(pipe) <= at; }
  [[nodiscard]] bool is_kept_closed(isa::Pipe pipe) const { return opens_at(pipe) == kNever; }
  /// None was closed when it was looked at last.
  [[nodiscard]] bool are_open() const { return maybe_closed_ == 0; }
  /// Cycles before `at` in which the pipe, and not the allocate stage, kept its instructions from issuing.
  [[nodiscard]] std::uint64_t closed_before(isa::Pipe pipe, Cycle at) const {
    return latches_[index_of(pipe)].closed_before(at, bubble_);
  }

  /// Calls `visit(pipe)` for each whose latch is closed at `now`, a cycle in which nothing has issued yet.
  template <class Visit>
  void for_each_closed(Cycle now, Visit&& visit) {
    for_each_maybe_closed([&](isa::Pipe pipe) {
      if (is_open(pipe, now)) {
        maybe_closed_ &= ~bit(pipe);
      } else {
        visit(pipe);
      }
    });
  }
  /// Calls `visit(pipe)` for each that has not been found open since it was closed.
  template <class Visit>
  void for_each_maybe_closed(Visit&& visit) const {
    for (std::uint32_t rest = maybe_closed_; rest != 0; rest &= rest - 1) {
      visit(static_cast<isa::Pipe>(std::countr_zero(rest)));
    }
  }

  [[nodiscard]] const IssueBubble& bubble() const { return bubble_; }
  /// Nothing may issue in [from, from + cycles), with `from` behind the last bubble.
  void insert_bubble(Cycle from, std::uint32_t cycles) {
    assert(from >= bubble_.until());
    bubble_.insert(from, cycles);
    for_each_maybe_closed([&](isa::Pipe pipe) { of(pipe).discount(from, bubble_.until()); });
  }

 private:
  [[nodiscard]] static std::size_t index_of(isa::Pipe pipe) { return static_cast<std::size_t>(pipe); }
  [[nodiscard]] static std::uint32_t bit(isa::Pipe pipe) { return 1U << static_cast<unsigned>(pipe); }
  [[nodiscard]] PipeLatch& of(isa::Pipe pipe) { return latches_[index_of(pipe)]; }

  std::uint32_t maybe_closed_ = 0;  ///< by pipe; cleared when found open
  /// By pipe: what the latch says, or kNever. It stands here again since it is asked for in every cycle, and a latch
  /// with its counts takes more than a line of the host's cache.
  std::array<Cycle, isa::kPipes> opens_{};
  std::array<PipeLatch, isa::kPipes> latches_{};
  IssueBubble bubble_;
};

}  // namespace gpusim::sm
