// SPDX-License-Identifier: MIT
// State that few objects of a kind ever need: a pointer until somebody asks for it.
#pragma once

#include <memory>

namespace gpusim {

template <class T>
class OnDemand {
 public:
  [[nodiscard]] bool exists() const { return state_ != nullptr; }
  [[nodiscard]] T* operator->() {
    if (!state_) {
      state_ = std::make_unique<T>();
    }
    return state_.get();
  }
  /// Only where it exists.
  [[nodiscard]] const T* operator->() const { return state_.get(); }

 private:
  std::unique_ptr<T> state_;
};

}  // namespace gpusim
