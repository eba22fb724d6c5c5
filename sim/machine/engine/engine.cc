// SPDX-License-Identifier: MIT
#include "sim/machine/engine/engine.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include "sim/machine/engine/crew.h"
#include "sim/machine/engine/domain.h"
#include "sim/machine/engine/worker.h"

namespace gpusim::engine {

Engine::Engine(std::vector<Domain*> domains, EngineOptions options)
    : domains_(std::move(domains)),
      options_(options),
      mailboxes_(domains_.size(), options.threads),
      sorters_(options.threads),
      next_(domains_.size(), kNever) {
  assert(options_.window >= 1 && options_.threads >= 1);
  for (std::size_t i = 0; i < domains_.size(); ++i) {
    assert(domains_[i]->id() == i);
  }
}

Outcome Engine::run(Cycle limit, const std::function<bool(Cycle)>& stop) {
  Crew crew(options_.threads);
  for (std::size_t i = 0; i < domains_.size(); ++i) {
    next_[i] = domains_[i]->next_event();
  }
  Cycle next_sample = options_.sampler == nullptr ? kNever : 0;
  for (unsigned windows = 1;; ++windows) {
    const Cycle start = earliest();
    if (start == kNever) {
      return Outcome::kIdle;
    }
    if (start >= limit) {
      return Outcome::kLimit;
    }
    if (start >= next_sample) {
      next_sample = options_.sampler->sample(start);
    }
    window_ = {start, std::min({start + options_.window, limit, next_sample})};
    run_window(crew);
    mailboxes_.swap();
    if (options_.observer != nullptr) {
      options_.observer->window_ends();
    }
    if (stop && windows % options_.windows_per_stop_check == 0 && stop(window_.end)) {
      return Outcome::kStopped;
    }
  }
}

void Engine::run_window(Crew& crew) {
  awake_.clear();
  for (std::size_t i = 0; i < domains_.size(); ++i) {
    // A domain that has messages takes them, due or not: their slots are needed for the next window.
    if (next_[i] < window_.end || mailboxes_.first(i) != kNever) {
      awake_.push_back(static_cast<msg::DomainId>(i));
    }
  }
  if (options_.reverse_order) {
    std::reverse(awake_.begin(), awake_.end());
  }
  if (options_.threads > 1) {
    crew.run(awake_, [this](msg::DomainId id) { run_domain(id); });
  } else {
    run_alone();
  }
  failure_.rethrow();
}

void Engine::run_alone() {
  for (std::size_t i = 0; i < awake_.size(); ++i) {
    run_domain(awake_[i]);
  }
}

/// Runs a domain on the calling worker.
void Engine::run_domain(msg::DomainId id) {
  Domain& domain = *domains_[id];
  if (options_.observer != nullptr) {
    options_.observer->domain_begins(id);
  }
  try {
    const unsigned worker = worker_index();
    domain.open_window(window_, mailboxes_, mailboxes_.outgoing(worker), sorters_[worker]);
    domain.run_until(window_.end);
    next_[id] = domain.next_event();
  } catch (...) {
    failure_.note(id);
  }
  if (options_.observer != nullptr) {
    options_.observer->domain_ends(id);
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
