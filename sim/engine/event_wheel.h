// SPDX-License-Identifier: MIT
// A calendar queue: events of the next kSlots cycles in one list a cycle, later ones in a heap. Pushing and popping
// cost a few instructions, finding the next busy cycle a few words of bit mask. Events of one cycle come out in the
// order in which they were pushed.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

#include "sim/base/types.h"

namespace gpusim::engine {

template <class Event>
class EventWheel {
  static_assert(std::is_trivially_copyable_v<Event>);

 public:
  static constexpr std::uint32_t kSlots = 512;

  EventWheel() { last_.fill(kNone); }

  [[nodiscard]] bool empty() const { return size_ == 0; }
  [[nodiscard]] std::size_t size() const { return size_; }

  /// `time` must not lie before the last popped time.
  void push(Cycle time, const Event& event) {
    assert(time >= now_);
    ++size_;
    next_time_ = std::min(next_time_, time);
    if (time - now_ < kSlots) {
      link(time, event);
    } else {
      later_.push_back({time, pushed_++, event});
      std::push_heap(later_.begin(), later_.end(), comes_after);
    }
  }

  /// Time of the earliest event; kNever when empty.
  [[nodiscard]] Cycle next_time() const { return next_time_; }

  /// Calls `visit(event)` for the events before cycle `end`, kSlots cycles ahead at most; they stay.
  template <class Visit>
  void for_each_before(Cycle end, Visit&& visit) const {
    const Cycle stop = std::min(end, now_ + kSlots);
    for (Cycle time = next_in_wheel(now_); time < stop; time = next_in_wheel(time + 1)) {
      const std::uint32_t last = last_[time % kSlots];
      std::uint32_t index = last;
      do {
        index = nodes_[index].next;
        visit(nodes_[index].event);
      } while (index != last);
    }
  }

  /// Calls `handle(event)` for every event of cycle `time` (events pushed for the same cycle meanwhile included), in
  /// order. `time` must be at most next_time().
  template <class Handle>
  void pop_all(Cycle time, Handle&& handle) {
    advance_to(time);
    const std::uint32_t slot = time % kSlots;
    while (last_[slot] != kNone) {
      const Event event = unlink_first(slot);
      --size_;
      handle(event);
    }
    next_time_ = find_next_time();
  }

 private:
  static constexpr std::uint32_t kNone = 0xffffffffU;
  struct Node {
    Event event;
    std::uint32_t next;
  };
  struct Later {
    Cycle time;
    std::uint64_t order;
    Event event;
  };
  static bool comes_after(const Later& a, const Later& b) {
    return a.time != b.time ? a.time > b.time : a.order > b.order;
  }

  /// Moves the wheel's origin; later events that now fit keep their order since nothing of their cycle is in it yet.
  void advance_to(Cycle time) {
    assert(time >= now_);
    now_ = time;
    while (!later_.empty() && later_.front().time - now_ < kSlots) {
      std::pop_heap(later_.begin(), later_.end(), comes_after);
      link(later_.back().time, later_.back().event);
      later_.pop_back();
    }
  }

  void link(Cycle time, const Event& event) {
    const std::uint32_t slot = time % kSlots;
    std::uint32_t index = free_;
    if (index == kNone) {
      index = static_cast<std::uint32_t>(nodes_.size());
      nodes_.push_back({event, kNone});
    } else {
      free_ = nodes_[index].next;
      nodes_[index].event = event;
    }
    if (last_[slot] == kNone) {
      nodes_[index].next = index;
      busy_[slot / 64] |= std::uint64_t{1} << (slot % 64);
    } else {
      nodes_[index].next = nodes_[last_[slot]].next;
      nodes_[last_[slot]].next = index;
    }
    last_[slot] = index;
  }

  Event unlink_first(std::uint32_t slot) {
    Node& last = nodes_[last_[slot]];
    const std::uint32_t index = last.next;
    Node& first = nodes_[index];
    if (index == last_[slot]) {
      last_[slot] = kNone;
      busy_[slot / 64] &= ~(std::uint64_t{1} << (slot % 64));
    } else {
      last.next = first.next;
    }
    first.next = free_;
    free_ = index;
    return first.event;
  }

  [[nodiscard]] Cycle find_next_time() const {
    if (size_ == 0) {
      return kNever;
    }
    const Cycle in_wheel = next_in_wheel(now_);
    return later_.empty() ? in_wheel : std::min(in_wheel, later_.front().time);
  }

  /// The first busy cycle not before `from`; a time beyond the wheel when there is none.
  [[nodiscard]] Cycle next_in_wheel(Cycle from) const {
    constexpr std::uint32_t kWords = kSlots / 64;
    const std::uint32_t origin = from % kSlots;
    const std::uint32_t first = origin / 64;
    for (std::uint32_t i = 0; i <= kWords; ++i) {
      const std::uint32_t word = (first + i) % kWords;
      std::uint64_t bits = busy_[word];
      if (i == 0) {
        bits &= ~std::uint64_t{0} << (origin % 64);
      } else if (i == kWords) {
        bits &= (std::uint64_t{1} << (origin % 64)) - 1;
      }
      if (bits != 0) {
        const std::uint32_t slot = word * 64 + static_cast<std::uint32_t>(std::countr_zero(bits));
        return from + (slot + kSlots - origin) % kSlots;
      }
    }
    return kNever;
  }

  Cycle now_ = 0;
  Cycle next_time_ = kNever;
  std::size_t size_ = 0;
  std::uint32_t free_ = kNone;
  std::uint64_t pushed_ = 0;
  std::array<std::uint64_t, kSlots / 64> busy_{};
  std::array<std::uint32_t, kSlots> last_;  ///< of a slot's events, linked in a circle: the oldest comes after it
  std::vector<Node> nodes_;
  std::vector<Later> later_;
};

}  // namespace gpusim::engine
