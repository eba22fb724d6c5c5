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
    slots_[slot] = record;
    return slot;
  }
  /// A slot whose record is whatever it was: for large ones, of which the owner writes what it needs.
  std::uint32_t take() {
    ++used_;
    if (free_.empty()) {
      slots_.emplace_back();
      return static_cast<std::uint32_t>(slots_.size() - 1);
    }
    const std::uint32_t slot = free_.back();
    free_.pop_back();
    return slot;
  }
  void release(std::uint32_t slot) {
    assert(used_ > 0);
    --used_;
    free_.push_back(slot);
  }
  /// A copy of the record, whose slot is free from now on.
  Record remove(std::uint32_t slot) {
    const Record record = slots_[slot];
    release(slot);
    return record;
  }
  [[nodiscard]] const Record& operator[](std::uint32_t slot) const { return slots_[slot]; }
  [[nodiscard]] Record& operator[](std::uint32_t slot) { return slots_[slot]; }
  /// For the host's speed alone: fetches the first `bytes` of the slot that will be taken next, if there is one.
  void prefetch_next(std::size_t bytes) const {
    if (!free_.empty()) {
      prefetch(&slots_[free_.back()], bytes);
    }
  }
  [[nodiscard]] std::size_t used() const { return used_; }

 private:
  std::vector<Record> slots_;
  std::vector<std::uint32_t> free_;
  std::size_t used_ = 0;
};

}  // namespace gpusim
