// SPDX-License-Identifier: MIT
// The threads that run the domains of a window. A window ends when its domains are done, not when all threads have met:
// one that the host does not run for a while delays nobody, unless it is in the middle of a domain. Who has nothing to
// do looks for work for a short while and then sleeps, so that a busy host has its cores back.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <span>
#include <thread>
#include <vector>

#include "sim/machine/engine/work_share.h"
#include "sim/machine/msg/message.h"

namespace gpusim::engine {

class Crew {
 public:
  /// `threads` (at least 1), the calling one included, or as many as the host can start. Each calls `work(domain)` for
  /// domains of the windows to come; it must not throw.
  Crew(unsigned threads, std::function<void(msg::DomainId)> work);
  ~Crew();
  Crew(const Crew&) = delete;
  Crew& operator=(const Crew&) = delete;

  /// Works on each of the domains once, on any thread, and returns when all are done.
  void run(std::span<const msg::DomainId> domains);

 private:
  bool start(unsigned index);
  void serve(unsigned index);
  void work(unsigned index);

  std::function<void(msg::DomainId)> work_;
  WorkShare share_;
  std::atomic<std::uint32_t> windows_{0};  ///< opened so far
  std::atomic<std::uint32_t> left_{0};     ///< domains of the window that are not done
  std::atomic<bool> stopping_{false};
  std::vector<std::jthread> threads_;  // last: joins before the rest goes
};

}  // namespace gpusim::engine
