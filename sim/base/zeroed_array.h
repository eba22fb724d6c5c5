// SPDX-License-Identifier: MIT
// A large array of zero bytes. The host gives such memory page by page when it is first touched, so what a run never
// uses costs nothing, and what it uses need not be cleared.
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>
#include <type_traits>

namespace gpusim {

/// Items for which all bytes zero is a value. Throws std::bad_alloc.
template <class Item>
class ZeroedArray {
  static_assert(std::is_trivially_copyable_v<Item> && std::is_trivially_destructible_v<Item>);

 public:
  explicit ZeroedArray(std::size_t size)
      : size_(size), memory_(std::calloc(size + 1, sizeof(Item))), items_(aligned(memory_.get())) {}

  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] Item& operator[](std::size_t index) {
    assert(index < size_);
    return items_[index];
  }
  [[nodiscard]] const Item& operator[](std::size_t index) const {
    assert(index < size_);
    return items_[index];
  }

 private:
  struct Free {
    void operator()(void* memory) const { std::free(memory); }
  };

  /// One item more than asked for leaves room for that.
  static Item* aligned(void* memory) {
    if (memory == nullptr) {
      throw std::bad_alloc();
    }
    std::size_t space = 2 * sizeof(Item);
    return static_cast<Item*>(std::align(alignof(Item), sizeof(Item), memory, space));
  }

  std::size_t size_;
  std::unique_ptr<void, Free> memory_;
  Item* items_;
};

}  // namespace gpusim
