// SPDX-License-Identifier: MIT
// A first-in first-out queue in one growing array: no allocation once it has been as long as it gets. Whenever it runs
// empty it starts at the array's beginning again, so that a queue which is rarely long stays in the host's cache.
#pragma once

#include <cassert>
#include <cstddef>
#include <vector>

namespace gpusim {

template <class Item>
class Ring {
 public:
  [[nodiscard]] bool empty() const { return size_ == 0; }
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] const Item& front() const {
    assert(size_ > 0);
    return items_[first_];
  }
  /// The item `index` places behind the front.
  [[nodiscard]] Item& operator[](std::size_t index) {
    assert(index < size_);
    return items_[(first_ + index) & (capacity_ - 1)];
  }
  void push_back(const Item& item) {
    if (size_ == capacity_) [[unlikely]] {
      grow_and_push_back(item);
      return;
    }
    items_[(first_ + size_++) & (capacity_ - 1)] = item;
  }
  void pop_front() {
    assert(size_ > 0);
    --size_;
    first_ = size_ == 0 ? 0 : (first_ + 1) & (capacity_ - 1);
  }

 private:
  /// To the next power of two, the oldest item first. Rare: apart from the common case, which its callers contain.
  [[gnu::noinline, gnu::cold]] void grow_and_push_back(const Item& item) {
    std::vector<Item> larger(capacity_ == 0 ? 4 : capacity_ * 2);
    for (std::size_t i = 0; i < size_; ++i) {
      larger[i] = (*this)[i];
    }
    larger[size_++] = item;
    items_.swap(larger);
    first_ = 0;
    capacity_ = items_.size();
  }

  std::vector<Item> items_;
  std::size_t capacity_ = 0;  ///< size of items_, which would divide to find it
  std::size_t first_ = 0;
  std::size_t size_ = 0;
};

}  // namespace gpusim
