// SPDX-License-Identifier: MIT
#include "sim/machine/engine/engine.h"

#include <algorithm>
#include <barrier>
#include <cassert>
#include <exception>
#include <memory>
#include <system_error>
#include <thread>
#include <utility>

#include "sim/base/prefetch.h"
#include "sim/machine/engine/worker.h"

namespace gpusim::engine {
namespace {

/// How often the caller's stop condition is asked.
constexpr unsigned kWindowsPerStopCheck = 64;

/// Runs a domain on the calling worker and returns its next event.
Cycle run_domain(Domain& domain, const Window& window, Mailboxes& mailboxes, WindowObserver* observer) {
  if (observer != nullptr) {
    observer->domain_begins(domain.id());
  }
  domain.open_window(window, mailboxes, mailboxes.outgoing(worker_index()));
  domain.run_until(window.end);
  const Cycle next = domain.next_event();
  if (observer != nullptr) {
    observer->domain_ends(domain.id());
  }
  return next;
}

}  // namespace

/// The other threads of a parallel run. In each window all threads take awake domains from one shared counter; which
/// thread runs a domain does not matter, since domains share nothing inside a window.
class Engine::Workers {
 public:
  /// As many of `threads` as the host can start, the calling one included.
  Workers(Engine& engine, unsigned threads) : engine_(engine), barrier_(threads) {
    threads_.reserve(threads);
    for (unsigned i = 1; i < threads; ++i) {
      if (!start(i)) {
        barrier_.arrive_and_drop();  // or the others would wait for it for ever
      }
    }
  }
  ~Workers() {
    stopping_ = true;
    barrier_.arrive_and_wait();
  }
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;

  void run(const Window& window) {
    window_ = window;
    next_.store(0, std::memory_order_relaxed);
    failures_.assign(engine_.domains_.size(), nullptr);
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
  bool start(unsigned index) {
    try {
      threads_.emplace_back([this, index] {
        detail::set_worker_index(index);
        serve();
      });
      return true;
    } catch (const std::system_error&) {
      return false;
    }
  }

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
    const std::vector<msg::DomainId>& awake = engine_.awake_;
    for (std::size_t i = next_.fetch_add(1); i < awake.size(); i = next_.fetch_add(1)) {
      const msg::DomainId id = awake[i];
      engine_.domains_[id]->prefetch();
      try {
        engine_.next_[id] = run_domain(*engine_.domains_[id], window_, engine_.mailboxes_, engine_.options_.observer);
      } catch (...) {
        failures_[id] = std::current_exception();
      }
    }
  }

  Engine& engine_;
  std::barrier<> barrier_;
  Window window_;
  bool stopping_ = false;
  std::atomic<std::size_t> next_{0};
  std::vector<std::exception_ptr> failures_;
  std::vector<std::jthread> threads_;  // last: joins before the rest goes
};

Engine::Engine(std::vector<Domain*> domains, EngineOptions options)
    : domains_(std::move(domains)),
      options_(options),
      mailboxes_(domains_.size(), options.threads),
      next_(domains_.size(), kNever) {
  assert(options_.window >= 1 && options_.threads >= 1);
  for (std::size_t i = 0; i < domains_.size(); ++i) {
    assert(domains_[i]->id() == i);
  }
}

Outcome Engine::run(Cycle limit, const std::function<bool(Cycle)>& stop) {
  const std::unique_ptr<Workers> workers =
      options_.threads > 1 ? std::make_unique<Workers>(*this, options_.threads) : nullptr;
  for (std::size_t i = 0; i < domains_.size(); ++i) {
    next_[i] = domains_[i]->next_event();
  }
  for (unsigned windows = 1;; ++windows) {
    const Cycle start = earliest();
    if (start == kNever) {
      return Outcome::kIdle;
    }
    if (start >= limit) {
      return Outcome::kLimit;
    }
    run_window({start, std::min(start + options_.window, limit)}, workers.get());
    mailboxes_.swap();
    if (options_.observer != nullptr) {
      options_.observer->window_ends();
    }
    if (stop && windows % kWindowsPerStopCheck == 0 && stop(start)) {
      return Outcome::kStopped;
    }
  }
}

void Engine::run_window(const Window& window, Workers* workers) {
  awake_.clear();
  for (std::size_t i = 0; i < domains_.size(); ++i) {
    // Whoever has messages takes them, due or not: their slots are needed for the next window.
    if (next_[i] < window.end || mailboxes_.first(i) != kNever) {
      awake_.push_back(static_cast<msg::DomainId>(i));
    }
  }
  if (options_.reverse_order) {
    std::reverse(awake_.begin(), awake_.end());
  }
  if (workers != nullptr && awake_.size() > 1) {
    workers->run(window);
  } else {
    run_alone(window);
  }
}

void Engine::run_alone(const Window& window) {
  std::exception_ptr failure;
  msg::DomainId failed = 0;
  for (std::size_t i = 0; i < awake_.size(); ++i) {
    const msg::DomainId id = awake_[i];
    prefetch(i + 1);
    try {
      next_[id] = run_domain(*domains_[id], window, mailboxes_, options_.observer);
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

/// The machine is larger than the host's caches: while a domain runs, the host's memory brings the next, and where that
/// leads to of the one behind it.
void Engine::prefetch(std::size_t next) const {
  if (next < awake_.size()) {
    mailboxes_.prefetch(awake_[next]);
    domains_[awake_[next]]->prefetch();
  }
  if (next + 1 < awake_.size()) {
    gpusim::prefetch(domains_[awake_[next + 1]], kHostLineBytes);
  }
}

Cycle Engine::earliest() const {
  Cycle first = kNever;
  for (std::size_t i = 0; i < domains_.size(); ++i) {
    first = std::min({first, next_[i], mailboxes_.first(i)});
  }
  return first;
}

}  // namespace gpusim::engine
