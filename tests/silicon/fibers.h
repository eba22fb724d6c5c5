// SPDX-License-Identifier: MIT
// Threads that run one at a time and give way only where they wait: deterministic, and cheap enough for hundreds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <vector>

#include <ucontext.h>

namespace gpusim::silicon {

class Fibers {
 public:
  /// `stalled`: called when all wait; does something that lets one go on, or returns false.
  Fibers(std::size_t count, std::size_t group, bool backwards, std::function<bool()> stalled);

  /// Each fiber runs body(index). A group runs as far as its fibers get before the next one does. Rethrows what a fiber
  /// throws; std::logic_error when all wait for ever.
  void run(const std::function<void(std::size_t)>& body);
  /// Called by a fiber: goes on when `ready` says so.
  void wait_until(const std::function<bool()>& ready);

 private:
  struct Fiber {
    ucontext_t context{};
    std::unique_ptr<std::byte[]> stack;
    void* fake_stack = nullptr;  // the address sanitizer's
    const std::function<bool()>* ready = nullptr;
    bool done = false;
  };

  static void enter(unsigned high, unsigned low);
  bool run_group(std::size_t group);
  void resume(std::size_t index);
  void give_way(Fiber& fiber);

  std::vector<Fiber> fibers_;
  std::size_t group_;
  bool backwards_;
  std::function<bool()> stalled_;
  const std::function<void(std::size_t)>* body_ = nullptr;
  ucontext_t scheduler_{};
  const void* scheduler_stack_ = nullptr;
  std::size_t scheduler_stack_bytes_ = 0;
  std::size_t current_ = 0;
  std::size_t left_ = 0;
  std::exception_ptr error_;
};

}  // namespace gpusim::silicon
