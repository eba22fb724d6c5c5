// SPDX-License-Identifier: MIT
// Conservative discrete-event simulation in windows of bounded lookahead: no message can arrive in the window in which
// it was sent, so inside one all domains run independently, on any number of threads, in any order, with the same
// result.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "sim/base/types.h"
#include "sim/machine/engine/failure.h"
#include "sim/machine/engine/mailbox.h"
#include "sim/machine/engine/window_sorter.h"

namespace gpusim::engine {

class Crew;
class Domain;

/// Told when a domain begins and ends its part of a window, for measuring how the work of windows spreads over domains.
class WindowObserver {
 public:
  virtual ~WindowObserver() = default;
  /// On the worker that runs the domain.
  virtual void domain_begins(msg::DomainId id) = 0;
  virtual void domain_ends(msg::DomainId id) = 0;
  /// All have ended, and their messages have changed hands.
  virtual void window_ends() = 0;
};

/// Often enough for a user who waits, and seldom enough to cost nothing.
inline constexpr unsigned kWindowsPerStopCheck = 64;

/// Asked between windows, on the thread that called run(), when a cycle has come. No window reaches beyond that cycle.
class Sampler {
 public:
  virtual ~Sampler() = default;
  /// Everything before cycle `now` has happened, and nothing else. Returns from which cycle on to ask again; first
  /// asked with cycle 0.
  virtual Cycle sample(Cycle now) = 0;
};

struct EngineOptions {
  Cycle window = 8;  ///< cycles; at most the smallest link latency
  unsigned threads = 1;
  bool reverse_order = false;  ///< visits domains last to first; results must not change (used by tests)
  WindowObserver* observer = nullptr;
  unsigned windows_per_stop_check = kWindowsPerStopCheck;  ///< how often the caller is asked whether to stop
  Sampler* sampler = nullptr;
};

enum class Outcome : std::uint8_t { kIdle, kLimit, kStopped };

class Engine {
 public:
  /// `domains[i]->id()` must be i. The domains must outlive the engine.
  Engine(std::vector<Domain*> domains, EngineOptions options);

  /// Runs until no domain has anything to do, until `limit` (nothing at or after that cycle happens), or until `stop`
  /// returns true at a window's end, that cycle (asked every so many windows; may be empty). Exceptions of domains are
  /// rethrown: of several in one window, that of the lowest domain; the engine cannot run again then.
  Outcome run(Cycle limit, const std::function<bool(Cycle)>& stop);

 private:
  void run_window(Crew& crew);
  void run_alone();
  void run_domain(msg::DomainId id);
  [[nodiscard]] Cycle earliest() const;

  std::vector<Domain*> domains_;
  EngineOptions options_;
  Mailboxes mailboxes_;
  std::vector<WindowSorter> sorters_;  ///< by worker
  std::vector<Cycle> next_;            ///< next event of each domain, as of the last window it ran in
  std::vector<msg::DomainId> awake_;
  Window window_;
  FirstFailure failure_;
};

}  // namespace gpusim::engine
