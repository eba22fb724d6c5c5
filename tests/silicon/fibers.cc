// SPDX-License-Identifier: MIT
#include "tests/silicon/fibers.h"

#include <algorithm>
#include <stdexcept>

namespace gpusim::silicon {
namespace {

constexpr std::size_t kStackBytes = 256 * 1024;
constexpr unsigned kHalf = 32;

}  // namespace

Fibers::Fibers(std::size_t count, std::size_t group, bool backwards, std::function<bool()> stalled)
    : fibers_(count), group_(group), backwards_(backwards), stalled_(std::move(stalled)) {}

// makecontext() passes integers, so the pointer comes in two halves.
void Fibers::enter(unsigned high, unsigned low) {
  Fibers& self = *reinterpret_cast<Fibers*>((static_cast<std::uintptr_t>(high) << kHalf) | low);
  const std::size_t index = self.current_;
  try {
    (*self.body_)(index);
  } catch (...) {
    self.error_ = std::current_exception();
  }
  self.fibers_[index].done = true;
  --self.left_;
  swapcontext(&self.fibers_[index].context, &self.scheduler_);
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
  swapcontext(&scheduler_, &fibers_[index].context);
  if (error_) {
    std::rethrow_exception(error_);
  }
}

void Fibers::wait_until(const std::function<bool()>& ready) {
  if (!ready()) {
    Fiber& fiber = fibers_[current_];
    fiber.ready = &ready;
    swapcontext(&fiber.context, &scheduler_);
  }
}

}  // namespace gpusim::silicon
