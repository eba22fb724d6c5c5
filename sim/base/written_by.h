// SPDX-License-Identifier: MIT
// Fields of a record that several units share: the type of a field says which of them writes it.
#pragma once

#include <type_traits>

namespace gpusim {

/// A value that everybody reads and that only the classes named change. No larger than the value, and as fast.
template <class T, class First, class Second = First, class Third = First>
class WrittenBy {
 public:
  constexpr WrittenBy() = default;
  constexpr WrittenBy(const T& value) : value_(value) {}
  constexpr WrittenBy(const WrittenBy&) = default;

  constexpr operator const T&() const { return value_; }
  [[nodiscard]] constexpr const T& get() const { return value_; }
  /// Reaches what a pointer points to, or else the value.
  constexpr auto operator->() const {
    if constexpr (std::is_pointer_v<T>) {
      return value_;
    } else {
      return &value_;
    }
  }

 private:
  friend First;
  friend Second;
  friend Third;

  constexpr WrittenBy& operator=(const WrittenBy&) = default;
  constexpr WrittenBy& operator=(const T& value) {
    value_ = value;
    return *this;
  }
  [[nodiscard]] constexpr T& edit() { return value_; }

  T value_{};
};

}  // namespace gpusim
