// SPDX-License-Identifier: MIT
#include "sim/engine/engine.h"

#include <algorithm>
#include <barrier>
#include <cassert>
#include <exception>
#include <memory>
#include <thread>
#include <utility>

#include "sim/engine/worker.h"

namespace gpusim::engine {
namespace {

/// How often the caller's stop condition is asked.
constexpr unsigned kWindowsPerStopCheck = 64;

}  // namespace

/// The other threads of a parallel run. In each window all threads take awake domains from one shared counter; which
/// thread runs a domain does not matter, since domains share nothing inside a window.
class Engine::Workers {
 public:
  Workers(const std::vector<Domain*>& domains, unsigned threads) : domains_(domains), barrier_(threads) {
    for (unsigned i = 1; i < threads; ++i) {
      threads_.emplace_back([this, i] {
        detail::set_worker_index(i);
        serve();
      });
    }
  }
  ~Workers() {
    stopping_ = true;
    barrier_.arrive_and_wait();
  }
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;

  void run(const std::vector<msg::DomainId>& awake, Cycle end) {
    awake_ = &awake;
    end_ = end;
    next_.store(0, std::memory_order_relaxed);
    failures_.assign(domains_.size(), nullptr);
    barrier_.arrive_and_wait();
    work();
    barrier_.arrive_and_wait();
    for (const std::exception_ptr& failure : failures_) {
      if (failure) {
        std::rethrow_exception(failure);
      }
    }
  }

 private:
  void serve() {
    while (true) {
      barrier_.arrive_and_wait();
      if (stopping_) {
        return;
      }
      work();
      barrier_.arrive_and_wait();
    }
  }

  void work() {
    for (std::size_t i = next_.fetch_add(1); i < awake_->size(); i = next_.fetch_add(1)) {
      const msg::DomainId id = (*awake_)[i];
      try {
        domains_[id]->run_until(end_);
      } catch (...) {
        failures_[id] = std::current_exception();
      }
    }
  }

  const std::vector<Domain*>& domains_;
  std::barrier<> barrier_;
  const std::vector<msg::DomainId>* awake_ = nullptr;
  Cycle end_ = 0;
  bool stopping_ = false;
  std::atomic<std::size_t> next_{0};
  std::vector<std::exception_ptr> failures_;
  std::vector<std::jthread> threads_;  // last: joins before the rest goes
};

Engine::Engine(std::vector<Domain*> domains, EngineOptions options) : domains_(std::move(domains)), options_(options) {
  assert(options_.window >= 1 && options_.threads >= 1);
  for (std::size_t i = 0; i < domains_.size(); ++i) {
    assert(domains_[i]->id() == i);
  }
}

Outcome Engine::run(Cycle limit, const std::function<bool(Cycle)>& stop) {
  const std::unique_ptr<Workers> workers =
      options_.threads > 1 ? std::make_unique<Workers>(domains_, options_.threads) : nullptr;
  exchange();
  for (unsigned windows = 1;; ++windows) {
    const Cycle start = earliest();
    if (start == kNever) {
      return Outcome::kIdle;
    }
    if (start >= limit) {
      return Outcome::kLimit;
    }
    run_window(std::min(start + options_.window, limit), workers.get());
    exchange();
    if (stop && windows % kWindowsPerStopCheck == 0 && stop(start)) {
      return Outcome::kStopped;
    }
  }
}

void Engine::run_window(Cycle end, Workers* workers) {
  awake_.clear();
  for (const Domain* domain : domains_) {
    if (domain->next_event() < end) {
      awake_.push_back(domain->id());
    }
  }
  if (options_.reverse_order) {
    std::reverse(awake_.begin(), awake_.end());
  }
  if (workers != nullptr && awake_.size() > 1) {
    workers->run(awake_, end);
    return;
  }
  std::exception_ptr failure;
  msg::DomainId failed = 0;
  for (const msg::DomainId id : awake_) {
    try {
      domains_[id]->run_until(end);
    } catch (...) {
      if (!failure || id < failed) {
        failure = std::current_exception();
        failed = id;
      }
    }
  }
  if (failure) {
    std::rethrow_exception(failure);
  }
}

void Engine::exchange() {
  for (Domain* domain : domains_) {
    for (const Envelope& envelope : domain->outbox()) {
      domains_[envelope.to]->deliver(envelope.message);
    }
    domain->outbox().clear();
  }
}

Cycle Engine::earliest() const {
  Cycle first = kNever;
  for (const Domain* domain : domains_) {
    first = std::min(first, domain->next_event());
  }
  return first;
}

}  // namespace gpusim::engine
