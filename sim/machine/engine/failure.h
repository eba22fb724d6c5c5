// SPDX-License-Identifier: MIT
// The exceptions that a crew's items throw, such as the domains of one window. Which of them are thrown depends on
// nothing but the items, and so does the one that is thrown again: that of the lowest item.
#pragma once

#include <cstdint>
#include <exception>
#include <mutex>
#include <utility>

namespace gpusim::engine {

class FirstFailure {
 public:
  /// From inside a handler, on any thread.
  void note(std::uint32_t item) {
    const std::lock_guard lock(mutex_);
    if (!failure_ || item < item_) {
      failure_ = std::current_exception();
      item_ = item;
    }
  }
  /// Throws what was noted, if anything was. When all items are done.
  void rethrow() {
    if (failure_) [[unlikely]] {
      std::rethrow_exception(std::exchange(failure_, nullptr));
    }
  }

 private:
  std::mutex mutex_;
  std::exception_ptr failure_;
  std::uint32_t item_ = 0;
};

}  // namespace gpusim::engine
