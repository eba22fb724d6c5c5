// SPDX-License-Identifier: MIT
// Records with a number for as long as they live: what waits in a slice is referred to by number in events and
// messages.
#pragma once

#include <cassert>
#include <cstdint>
#include <vector>

namespace gpusim::mem::l2 {

template <class Record>
class SlotPool {
 public:
  std::uint32_t take(const Record& record) {
    ++used_;
    if (free_.empty()) {
      slots_.push_back(record);
      return static_cast<std::uint32_t>(slots_.size() - 1);
    }
    const std::uint32_t slot = free_.back();
    free_.pop_back();
    slots_[slot] = record;
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
  [[nodiscard]] std::size_t used() const { return used_; }

 private:
  std::vector<Record> slots_;
  std::vector<std::uint32_t> free_;
  std::size_t used_ = 0;
};

}  // namespace gpusim::mem::l2
