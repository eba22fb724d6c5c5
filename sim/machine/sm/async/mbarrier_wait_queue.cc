// SPDX-License-Identifier: MIT
#include "sim/machine/sm/async/mbarrier_wait_queue.h"

#include <algorithm>
#include <cassert>

namespace gpusim::sm {
namespace {

OperationEnd end_of(const Poll& poll) {
  return {poll.pc, poll.counter, poll.producer};
}

}  // namespace

void MbarrierWaitQueue::yes(const Poll& poll, Cycle now) {
  failed_[poll.warp] = {};
  events_.push(after_issue(now, poll.answer_latency), SmEvent(SmEventKind::kPollYes, poll.warp, end_of(poll)));
}

MbarrierWaitQueue::Recent* MbarrierWaitQueue::recent_of(const Poll& poll) {
  std::array<Recent, Failed::kMost>& polls = failed_[poll.warp].polls;
  const auto found = std::ranges::find_if(polls, [&poll](const Recent& recent) {
    return recent.failures != 0 && recent.pc == poll.pc && recent.object == poll.object && recent.parity == poll.parity;
  });
  return found == polls.end() ? nullptr : &*found;
}

void MbarrierWaitQueue::no(const Poll& poll, Cycle now) {
  Recent* recent = recent_of(poll);
  if (recent == nullptr) {
    Failed& failed = failed_[poll.warp];
    recent = &failed.polls[failed.next];
    failed.next = (failed.next + 1) % Failed::kMost;
    *recent = {poll.pc, poll.object, poll.parity, 0};
  }
  ++recent->failures;
  events_.push(after_issue(now, poll.answer_latency), SmEvent(SmEventKind::kPollNo, poll.warp, end_of(poll)));
}

/// A test that does not wait is answered at once, unless it spins: then asking again changes nothing, and it is
/// answered as a TRYWAIT.
void MbarrierWaitQueue::not_yet(const Poll& poll, Cycle now) {
  if (poll.until_over) {
    waiting_.push_back({poll, true, kNever});
    return;
  }
  const Recent* const recent = recent_of(poll);
  const bool spins = recent != nullptr && recent->failures >= kSpins;
  if (!poll.try_waits && !spins) {
    no(poll, now);
    return;
  }
  waiting_.push_back({poll, spins, 0});
  set_deadline(waiting_.back(), now);
}

void MbarrierWaitQueue::set_deadline(Waiting& waiting, Cycle now) {
  waiting.deadline = now + limit_;
  ++deadlines_;
  events_.push(waiting.deadline, SmEvent(waiting.poll.warp, PollDeadline{waiting.poll.pc}));
}

void MbarrierWaitQueue::expire(const SmEvent& event, bool at_rest, Cycle now) {
  --deadlines_;
  const auto found = std::find_if(waiting_.begin(), waiting_.end(), [&](const Waiting& waiting) {
    return waiting.poll.warp == event.warp && waiting.poll.pc == event.as<PollDeadline>().pc && waiting.deadline == now;
  });
  if (found == waiting_.end()) {
    return;  // answered before
  }
  if (found->spins && at_rest) {
    found->deadline = kNever;
    ++held_;
    return;
  }
  no(found->poll, now);
  waiting_.erase(found);
}

void MbarrierWaitQueue::wake_held(Cycle now) {
  for (Waiting& waiting : waiting_) {
    if (is_held(waiting)) {
      set_deadline(waiting, now);
    }
  }
  held_ = 0;
}

const MbarrierWaitQueue::Waiting* MbarrierWaitQueue::of_warp(std::uint16_t warp) const {
  const auto found =
      std::find_if(waiting_.begin(), waiting_.end(), [warp](const Waiting& w) { return w.poll.warp == warp; });
  return found == waiting_.end() ? nullptr : &*found;
}

}  // namespace gpusim::sm
