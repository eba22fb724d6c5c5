// SPDX-License-Identifier: MIT
// The exceptions that domains throw in one window. Which of them are thrown depends on nothing but the domains, and so
// does the one that is thrown again: that of the lowest domain.
#pragma once

#include <exception>
#include <mutex>
#include <utility>

#include "sim/machine/msg/message.h"

namespace gpusim::engine {

class FirstFailure {
 public:
  /// From inside a handler, on any thread.
  void note(msg::DomainId domain) {
    const std::lock_guard lock(mutex_);
    if (!failure_ || domain < domain_) {
      failure_ = std::current_exception();
      domain_ = domain;
    }
  }
  /// Throws what was noted, if anything was. When all domains of the window are done.
  void rethrow() {
    if (failure_) [[unlikely]] {
      std::rethrow_exception(std::exchange(failure_, nullptr));
    }
  }

 private:
  std::mutex mutex_;
  std::exception_ptr failure_;
  msg::DomainId domain_ = 0;
};

}  // namespace gpusim::engine
