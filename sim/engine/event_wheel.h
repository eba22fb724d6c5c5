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

  EventWheel() {
    heads_.fill(kNone);
    tails_.fill(kNone);
  }

  [[nodiscard]] bool empty() const { return size_ == 0; }
  [[nodiscard]] std::size_t size() const { return size_; }

  /// `time` must not lie before the last popped time.
  void push(Cycle time, const Event& event) {
    assert(time >= now_);
    ++size_;
    if (time - now_ < kSlots) {
      link(time, event);
    } else {
      later_.push_back({time, pushed_++, event});
      std::push_heap(later_.begin(), later_.end(), comes_after);
    }
  }

  /// Time of the earliest event; kNever when empty.
  [[nodiscard]] Cycle next_time() const {
    if (size_ == 0) {
      return kNever;
    }
    const Cycle in_wheel = next_in_wheel();
    return later_.empty() ? in_wheel : std::min(in_wheel, later_.front().time);
  }

  /// Calls `handle(event)` for every event of cycle `time` (events pushed for the same cycle meanwhile included), in
  /// order. `time` must be at most next_time().
  template <class Handle>
  void pop_all(Cycle time, Handle&& handle) {
    advance_to(time);
    const std::uint32_t slot = time % kSlots;
    while (heads_[slot] != kNone) {
      const std::uint32_t index = heads_[slot];
      const Event event = nodes_[index].event;
      heads_[slot] = nodes_[index].next;
      if (heads_[slot] == kNone) {
        tails_[slot] = kNone;
        busy_[slot / 64] &= ~(std::uint64_t{1} << (slot % 64));
      }
      nodes_[index].next = free_;
      free_ = index;
      --size_;
      handle(event);
    }
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
      nodes_[index] = {event, kNone};
    }
    if (tails_[slot] == kNone) {
      heads_[slot] = index;
      busy_[slot / 64] |= std::uint64_t{1} << (slot % 64);
    } else {
      nodes_[tails_[slot]].next = index;
    }
    tails_[slot] = index;
  }

  [[nodiscard]] Cycle next_in_wheel() const {
    constexpr std::uint32_t kWords = kSlots / 64;
    const std::uint32_t origin = now_ % kSlots;
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
        return now_ + (slot + kSlots - origin) % kSlots;
      }
    }
    return kNever;
  }

  Cycle now_ = 0;
  std::size_t size_ = 0;
  std::uint32_t free_ = kNone;
  std::uint64_t pushed_ = 0;
  std::array<std::uint64_t, kSlots / 64> busy_{};
  std::array<std::uint32_t, kSlots> heads_;
  std::array<std::uint32_t, kSlots> tails_;
  std::vector<Node> nodes_;
  std::vector<Later> later_;
};

}  // namespace gpusim::engine
