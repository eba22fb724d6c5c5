// SPDX-License-Identifier: MIT
// A large array of zero bytes. The host gives such memory page by page when it is first touched, so what a run never
// uses costs nothing, and what it uses need not be cleared.
#pragma once

#include <cassert>
#include <cstddef>
#include <new>
#include <type_traits>
#include <utility>

#include <sys/mman.h>

namespace gpusim {

/// Items for which all bytes zero is a value. Throws std::bad_alloc.
template <class Item>
class ZeroedArray {
  static_assert(std::is_trivially_copyable_v<Item> && std::is_trivially_destructible_v<Item>);

 public:
  explicit ZeroedArray(std::size_t size) : size_(size), items_(size == 0 ? nullptr : fresh_pages(size)) {}
  ZeroedArray(ZeroedArray&& other) noexcept { *this = std::move(other); }
  ZeroedArray& operator=(ZeroedArray&& other) noexcept {
    std::swap(size_, other.size_);
    std::swap(items_, other.items_);
    return *this;
  }
  ~ZeroedArray() {
    if (items_ != nullptr) {
      munmap(items_, size_ * sizeof(Item));
    }
  }

  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] Item* data() { return items_; }
  [[nodiscard]] const Item* data() const { return items_; }
  [[nodiscard]] Item& operator[](std::size_t index) {
    assert(index < size_);
    return items_[index];
  }
  [[nodiscard]] const Item& operator[](std::size_t index) const {
    assert(index < size_);
    return items_[index];
  }

 private:
  static Item* fresh_pages(std::size_t size) {
    void* const pages = mmap(nullptr, size * sizeof(Item), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pages == MAP_FAILED) {
      throw std::bad_alloc();
    }
    return static_cast<Item*>(pages);
  }

  std::size_t size_ = 0;
  Item* items_ = nullptr;
};

}  // namespace gpusim
