// SPDX-License-Identifier: MIT
#include "sim/machine/engine/crew.h"

#include <algorithm>
#include <system_error>

#include "sim/machine/engine/worker.h"

namespace gpusim::engine {
namespace {

/// How often a thread looks before it sleeps: some tens of microseconds, about as long as a domain takes in a window.
constexpr unsigned kLooks = 1000;

/// Tells the processor that this is a loop that waits.
void pause() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

/// Waits until `is_over(value)`. The thread that changes the value to that end notifies this one.
template <class Value, class IsOver>
void look_then_sleep(const std::atomic<Value>& value, IsOver&& is_over) {
  for (unsigned look = 0; look < kLooks; ++look) {
    if (is_over(value.load(std::memory_order_acquire))) {
      return;
    }
    pause();
  }
  for (Value now = value.load(std::memory_order_acquire); !is_over(now); now = value.load(std::memory_order_acquire)) {
    value.wait(now, std::memory_order_acquire);
  }
}

}  // namespace

Crew::Crew(unsigned threads) : share_(threads) {
  threads_.reserve(threads);
  for (unsigned i = 1; i < threads && start(i); ++i) {
  }
}

Crew::~Crew() {
  stopping_.store(true, std::memory_order_relaxed);
  runs_.fetch_add(1, std::memory_order_release);
  runs_.notify_all();
}

bool Crew::start(unsigned index) {
  try {
    threads_.emplace_back([this, index] {
      detail::set_worker_index(index);
      serve(index);
    });
    return true;
  } catch (const std::system_error&) {
    return false;
  }
}

void Crew::run(std::span<const Item> items, const Work& work) {
  if (threads_.empty() || items.size() == 1) {
    std::for_each(items.begin(), items.end(), work);
    return;
  }
  work_ = &work;
  left_.store(static_cast<std::uint32_t>(items.size()), std::memory_order_relaxed);
  share_.deal(items);
  runs_.fetch_add(1, std::memory_order_release);
  runs_.notify_all();
  this->work(0);
  look_then_sleep(left_, [](std::uint32_t left) { return left == 0; });
}

void Crew::serve(unsigned index) {
  while (true) {
    const std::uint32_t seen = runs_.load(std::memory_order_acquire);
    if (stopping_.load(std::memory_order_relaxed)) {
      return;
    }
    work(index);
    look_then_sleep(runs_, [seen](std::uint32_t runs) { return runs != seen; });
  }
}

void Crew::work(unsigned index) {
  for (Item item = share_.take(index); item != WorkShare::kNone; item = share_.take(index)) {
    (*work_)(item);
    if (left_.fetch_sub(1, std::memory_order_acq_rel) == 1) {
      left_.notify_one();
    }
  }
}

}  // namespace gpusim::engine
