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

#include "sim/base/prefetch.h"
#include "sim/base/types.h"

namespace gpusim::engine {

template <class Event>
class EventWheel {
  static_assert(std::is_trivially_copyable_v<Event>);

 public:
  static constexpr std::uint32_t kSlots = 512;

  [[nodiscard]] bool empty() const { return size_ == 0; }
  [[nodiscard]] std::size_t size() const { return size_; }

  /// `time` must not lie before the last popped time.
  void push(Cycle time, const Event& event) {
    assert(time >= now_);
    ++size_;
    next_time_ = std::min(next_time_, time);
    if (time - now_ >= kSlots) [[unlikely]] {
      push_later(time, event);
    } else if (free_ == kNone) [[unlikely]] {
      link_new(time, event);
    } else {
      link(time, event);
    }
  }

  /// Time of the earliest event; kNever when empty.
  [[nodiscard]] Cycle next_time() const { return next_time_; }

  /// For the host's speed alone: fetches the lists of the cycles before `end`.
  void prefetch_until(Cycle end) const {
    const std::size_t cycles = std::min<Cycle>(end - std::min(now_, end), kSlots);
    const std::size_t first = now_ % kSlots;
    const std::size_t straight = std::min(cycles, kSlots - first);
    gpusim::prefetch(&slots_[first], straight * sizeof(Slot));
    gpusim::prefetch(slots_.data(), (cycles - straight) * sizeof(Slot));
  }

  /// Calls `visit(event)` for the events before cycle `end`, kSlots cycles ahead at most; they stay.
  template <class Visit>
  void for_each_before(Cycle end, Visit&& visit) const {
    const Cycle stop = std::min(end, now_ + kSlots);
    for (Cycle time = next_in_wheel(now_); time < stop; time = next_in_wheel(time + 1)) {
      for (std::uint32_t i = slots_[time % kSlots].first; i != kNone; i = nodes_[i].next) {
        visit(nodes_[i].event);
      }
    }
  }

  /// Calls `handle(event)` for every event of cycle `time` (events pushed for the same cycle meanwhile included), in
  /// order. `time` must be at most next_time().
  template <class Handle>
  void pop_all(Cycle time, Handle&& handle) {
    advance_to(time);
    Slot& slot = slots_[time % kSlots];
    while (slot.first != kNone) {
      Node& node = nodes_[slot.first];
      const Event event = node.event;
      free_ = std::exchange(slot.first, std::exchange(node.next, free_));
      --size_;
      handle(event);
    }
    busy_[time % kSlots / 64] &= ~(std::uint64_t{1} << (time % 64));
    next_time_ = find_next_time();
  }

 private:
  static constexpr std::uint32_t kNone = 0xffffffffU;
  struct Node {
    Event event;
    std::uint32_t next;
  };
  /// The events of one cycle; `last` counts while there is a first.
  struct Slot {
    std::uint32_t first = kNone;
    std::uint32_t last = kNone;
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
      const Later due = later_.back();
      later_.pop_back();
      free_ == kNone ? link_new(due.time, due.event) : link(due.time, due.event);
    }
  }

  /// The free node that was used last is taken: it is most likely still in the host's cache.
  void link(Cycle time, const Event& event) {
    const std::uint32_t index = free_;
    free_ = nodes_[index].next;
    nodes_[index].event = event;
    nodes_[index].next = kNone;
    Slot& slot = slots_[time % kSlots];
    if (slot.first == kNone) {
      slot.first = index;
      busy_[time % kSlots / 64] |= std::uint64_t{1} << (time % 64);
    } else {
      nodes_[slot.last].next = index;
    }
    slot.last = index;
  }

  // Rare: apart from the others, which are so short that their callers contain them.
  [[gnu::noinline]] void link_new(Cycle time, const Event& event) {
    free_ = static_cast<std::uint32_t>(nodes_.size());
    nodes_.emplace_back().next = kNone;
    link(time, event);
  }
  [[gnu::noinline]] void push_later(Cycle time, const Event& event) {
    later_.push_back({time, pushed_++, event});
    std::push_heap(later_.begin(), later_.end(), comes_after);
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
  std::uint64_t pushed_ = 0;
  std::array<std::uint64_t, kSlots / 64> busy_{};
  std::vector<Node> nodes_;
  std::uint32_t free_ = kNone;  ///< the first free node; `next` leads to the others
  std::vector<Later> later_;
  std::array<Slot, kSlots> slots_{};
};

}  // namespace gpusim::engine
