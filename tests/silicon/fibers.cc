// SPDX-License-Identifier: MIT
#include "tests/silicon/fibers.h"

#include <algorithm>
#include <stdexcept>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/common_interface_defs.h>
#endif

namespace gpusim::silicon {
namespace {

// The address sanitizer wants to know which stack comes next, and where a switch ended.
void before_switch([[maybe_unused]] void** own, [[maybe_unused]] const void* stack,
                   [[maybe_unused]] std::size_t bytes) {
#if defined(__SANITIZE_ADDRESS__)
  __sanitizer_start_switch_fiber(own, stack, bytes);
#endif
}
void after_switch([[maybe_unused]] void* own, [[maybe_unused]] const void** stack,
                  [[maybe_unused]] std::size_t* bytes) {
#if defined(__SANITIZE_ADDRESS__)
  __sanitizer_finish_switch_fiber(own, stack, bytes);
#endif
}

constexpr std::size_t kStackBytes = 256 * 1024;
constexpr unsigned kHalf = 32;

}  // namespace

Fibers::Fibers(std::size_t count, std::size_t group, bool backwards, std::function<bool()> stalled)
    : fibers_(count), group_(group), backwards_(backwards), stalled_(std::move(stalled)) {}

// makecontext() passes integers, so the pointer comes in two halves.
void Fibers::enter(unsigned high, unsigned low) {
  Fibers& self = *reinterpret_cast<Fibers*>((static_cast<std::uintptr_t>(high) << kHalf) | low);
  const std::size_t index = self.current_;
  after_switch(nullptr, &self.scheduler_stack_, &self.scheduler_stack_bytes_);
  try {
    (*self.body_)(index);
  } catch (...) {
    self.error_ = std::current_exception();
  }
  self.fibers_[index].done = true;
  --self.left_;
  self.give_way(self.fibers_[index]);
}

// A fiber that is done gives its own fake stack back.
void Fibers::give_way(Fiber& fiber) {
  before_switch(fiber.done ? nullptr : &fiber.fake_stack, scheduler_stack_, scheduler_stack_bytes_);
  swapcontext(&fiber.context, &scheduler_);
  after_switch(fiber.fake_stack, &scheduler_stack_, &scheduler_stack_bytes_);
}

void Fibers::run(const std::function<void(std::size_t)>& body) {
  body_ = &body;
  left_ = fibers_.size();
  const auto self = reinterpret_cast<std::uintptr_t>(this);
  for (Fiber& fiber : fibers_) {
    fiber.stack = std::make_unique_for_overwrite<std::byte[]>(kStackBytes);
    getcontext(&fiber.context);
    fiber.context.uc_stack.ss_sp = fiber.stack.get();
    fiber.context.uc_stack.ss_size = kStackBytes;
    makecontext(&fiber.context, reinterpret_cast<void (*)()>(&Fibers::enter), 2, static_cast<unsigned>(self >> kHalf),
                static_cast<unsigned>(self));
  }
  const std::size_t groups = (fibers_.size() + group_ - 1) / group_;
  while (left_ > 0) {
    bool progress = false;
    for (std::size_t i = 0; i < groups; ++i) {
      while (run_group(backwards_ ? groups - 1 - i : i)) {
        progress = true;
      }
    }
    if (!progress && left_ > 0 && !stalled_()) {
      throw std::logic_error("all threads wait for each other");
    }
  }
}

bool Fibers::run_group(std::size_t group) {
  bool progress = false;
  const std::size_t end = std::min(fibers_.size(), (group + 1) * group_);
  for (std::size_t i = group * group_; i < end; ++i) {
    Fiber& fiber = fibers_[i];
    if (!fiber.done && (fiber.ready == nullptr || (*fiber.ready)())) {
      fiber.ready = nullptr;
      resume(i);
      progress = true;
    }
  }
  return progress;
}

void Fibers::resume(std::size_t index) {
  current_ = index;
  void* fake_stack = nullptr;
  before_switch(&fake_stack, fibers_[index].stack.get(), kStackBytes);
  swapcontext(&scheduler_, &fibers_[index].context);
  after_switch(fake_stack, nullptr, nullptr);
  if (error_) {
    std::rethrow_exception(error_);
  }
}

void Fibers::wait_until(const std::function<bool()>& ready) {
  if (!ready()) {
    Fiber& fiber = fibers_[current_];
    fiber.ready = &ready;
    give_way(fiber);
  }
}

}  // namespace gpusim::silicon
