// SPDX-License-Identifier: MIT
// Records with a number for as long as they live: what waits in a part of the machine is referred to by number in
// events and messages. The free slot that was used last is taken first, since it is most likely still in the host's
// cache.
#pragma once

#include <cassert>
#include <cstdint>
#include <vector>

#include "sim/base/prefetch.h"

namespace gpusim {

template <class Record>
class SlotPool {
 public:
  std::uint32_t take(const Record& record) {
    const std::uint32_t slot = take();
    slots_[slot].record = record;
    return slot;
  }
  /// A slot whose record is whatever it was: for large ones, of which the owner writes what it needs.
  std::uint32_t take() {
    ++used_;
    if (free_ == kNone) [[unlikely]] {
      return add();
    }
    const std::uint32_t slot = free_;
    free_ = slots_[slot].next_free;
    return slot;
  }
  void release(std::uint32_t slot) {
    assert(used_ > 0);
    --used_;
    slots_[slot].next_free = free_;
    free_ = slot;
  }
  /// A copy of the record, whose slot is free from now on.
  Record remove(std::uint32_t slot) {
    const Record record = slots_[slot].record;
    release(slot);
    return record;
  }
  [[nodiscard]] const Record& operator[](std::uint32_t slot) const { return slots_[slot].record; }
  [[nodiscard]] Record& operator[](std::uint32_t slot) { return slots_[slot].record; }
  /// For the host's speed alone: fetches the first `bytes` of the slot that will be taken next, if there is one.
  void prefetch_next(std::size_t bytes) const {
    if (free_ != kNone) {
      prefetch(&slots_[free_], bytes);
    }
  }
  [[nodiscard]] std::size_t used() const { return used_; }
  /// Room for so many records, which are made when they are first taken: large ones are better not moved.
  void reserve(std::size_t records) { slots_.reserve(records); }

 private:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  struct Slot {
    Record record{};
    std::uint32_t next_free = kNone;  ///< for a free slot: the next free one
  };

  // Rare: apart from the common case, which its callers contain.
  [[gnu::noinline, gnu::cold]] std::uint32_t add() {
    slots_.emplace_back();
    return static_cast<std::uint32_t>(slots_.size() - 1);
  }

  std::vector<Slot> slots_;
  std::uint32_t free_ = kNone;  ///< the first; each leads to the next
  std::size_t used_ = 0;
};

}  // namespace gpusim
