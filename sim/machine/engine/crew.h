// SPDX-License-Identifier: MIT
// Threads that share work: the domains of a window, or whatever else can be done in any order. The work is over when
// all of it is done, not when all threads have met: one that the host does not run for a while delays nobody, unless it
// is in the middle of an item. A thread without work looks for some for a short while and then sleeps, so that a busy
// host has its cores back.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <span>
#include <thread>
#include <vector>

#include "sim/machine/engine/work_share.h"

namespace gpusim::engine {

class Crew {
 public:
  using Item = WorkShare::Item;
  /// Must not throw.
  using Work = std::function<void(Item)>;

  /// `threads` (at least 1), the calling one included, or as many as the host can start.
  explicit Crew(unsigned threads);
  ~Crew();
  Crew(const Crew&) = delete;
  Crew& operator=(const Crew&) = delete;

  /// Calls `work(item)` for each of the items once, on any thread (worker_index() says which), and returns when all
  /// are done.
  void run(std::span<const Item> items, const Work& work);

 private:
  bool start(unsigned index);
  void serve(unsigned index);
  void work(unsigned index);

  WorkShare share_;
  const Work* work_ = nullptr;          ///< work of the latest run
  std::atomic<std::uint32_t> runs_{0};  ///< begun so far
  std::atomic<std::uint32_t> left_{0};  ///< items that are not done
  std::atomic<bool> stopping_{false};
  std::vector<std::jthread> threads_;  // last: joins before the rest goes
};

}  // namespace gpusim::engine
