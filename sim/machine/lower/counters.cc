// SPDX-License-Identifier: MIT
#include "sim/machine/lower/counters.h"

#include <algorithm>
#include <array>
#include <optional>
#include <tuple>

#include "sim/model/trace/kernel.h"

namespace gpusim::lower {
namespace {

/// Expected latencies in cycles where the timing table has none: they only rank false waits. A miss in L1 for global
/// and local memory, a shared-memory load, and the reading of a memory instruction's sources behind a full queue (five
/// instructions at four cycles each, docs/model/load-store.md).
constexpr std::uint64_t kGlobalLatency = 400;
constexpr std::uint64_t kSharedLatency = 30;
constexpr std::uint64_t kSourceReadLatency = 30;

constexpr std::uint8_t kAllCounters = (1U << isa::kDependenceCounters) - 1;

/// A result, or a read of sources, that a counter guards from `begin` until the instruction that waits for it; in
/// cycles along the code.
struct Guarded {
  std::uint64_t begin = 0;
  std::uint64_t due = 0;
  std::uint64_t shift = 0;  ///< where the consumer comes in the next iteration of a loop: that iteration's length
  std::uint32_t consumer = 0;
  std::uint64_t latency = 0;
  isa::TimingClass timing = isa::TimingClass::kNone;
  isa::MemSpace space = isa::MemSpace::kNone;
  bool is_read = false;
};

bool returns_in_order(const Guarded& a, const Guarded& b) {
  return a.timing == b.timing && a.space == b.space && a.space != isa::MemSpace::kGlobal &&
         a.space != isa::MemSpace::kLocal && a.space != isa::MemSpace::kClusterShared && a.is_read == b.is_read;
}

std::uint64_t excess(std::uint64_t latency, std::uint64_t distance) {
  return latency > distance ? latency - distance : 0;
}

/// Cycles that one of two users of a counter waits for the other without need; `later` begins after `earlier`.
std::uint64_t false_wait(const Guarded& earlier, const Guarded& later) {
  if (earlier.due <= later.begin || earlier.consumer == later.consumer) {
    return 0;
  }
  if (earlier.due < later.due) {
    return excess(later.latency, earlier.due - later.begin);
  }
  return returns_in_order(earlier, later) ? 0 : excess(earlier.latency, later.due - earlier.begin);
}

class Allocator {
 public:
  explicit Allocator(std::uint8_t reserved) : usable_(static_cast<std::uint8_t>(kAllCounters & ~reserved)) {
    if (usable_ == 0) {
      usable_ = kAllCounters;  // DEPBARs name all six: sharing makes them wait longer, never shorter
    }
  }

  std::uint8_t take(const Guarded& guarded) {
    settle(guarded.begin);
    const std::optional<std::uint8_t> companion = counter_with_same_consumer(guarded);
    const std::uint8_t chosen = companion ? *companion : cheapest(guarded);
    counters_[chosen].users.push_back(guarded);
    counters_[chosen].last_use = ++uses_;
    return chosen;
  }

 private:
  struct Counter {
    std::vector<Guarded> users;
    std::uint64_t last_use = 0;
  };

  [[nodiscard]] bool is_usable(std::size_t counter) const { return ((usable_ >> counter) & 1U) != 0; }

  /// An instruction that waits for a counter waits for all its users: they are done then, however late their own
  /// consumer comes. Users that are done stay for a while, because the next iteration of a loop may meet them again.
  /// They only rank the counters, so that the oldest of many may be forgotten: the pass stays linear in the kernel's
  /// length.
  void settle(std::uint64_t now) {
    constexpr std::size_t kMostRemembered = 64;
    for (Counter& counter : counters_) {
      std::uint64_t last_wait = 0;
      for (const Guarded& user : counter.users) {
        last_wait = user.due <= now ? std::max(last_wait, user.due) : last_wait;
      }
      for (Guarded& user : counter.users) {
        user.due = user.begin < last_wait ? std::min(user.due, last_wait) : user.due;
      }
      if (counter.users.size() > kMostRemembered) {
        std::erase_if(counter.users, [now](const Guarded& user) { return user.due <= now; });
      }
      if (counter.users.size() > kMostRemembered) {  // thousands of stores of one register
        counter.users.erase(counter.users.begin(), counter.users.end() - kMostRemembered);
      }
    }
  }

  [[nodiscard]] std::optional<std::uint8_t> counter_with_same_consumer(const Guarded& guarded) const {
    for (std::size_t c = 0; c < counters_.size(); ++c) {
      bool any = false;
      bool all = is_usable(c);
      for (const Guarded& user : counters_[c].users) {
        if (user.due > guarded.begin) {
          any = true;
          all = all && user.consumer == guarded.consumer && user.is_read == guarded.is_read;
        }
      }
      if (any && all && cost(counters_[c], guarded) == 0) {
        return static_cast<std::uint8_t>(c);
      }
    }
    return std::nullopt;
  }

  [[nodiscard]] std::uint8_t cheapest(const Guarded& guarded) const {
    std::size_t best = counters_.size();
    for (std::size_t c = 0; c < counters_.size(); ++c) {
      if (is_usable(c) && (best == counters_.size() || is_better(counters_[c], counters_[best], guarded))) {
        best = c;
      }
    }
    return static_cast<std::uint8_t>(best);
  }

  /// True if `a` is the better counter. If both cost and hold nothing, the better one is the counter whose user the
  /// same instruction has already waited for, because then it need not wait for two.
  [[nodiscard]] bool is_better(const Counter& a, const Counter& b, const Guarded& guarded) const {
    const auto rank = [&](const Counter& counter) {
      const bool busy = std::any_of(counter.users.begin(), counter.users.end(),
                                    [&](const Guarded& user) { return user.due > guarded.begin; });
      const bool other = std::none_of(counter.users.begin(), counter.users.end(), [&](const Guarded& user) {
        return user.consumer == guarded.consumer && user.is_read == guarded.is_read;
      });
      return std::tuple(cost(counter, guarded), busy, other, counter.last_use);
    };
    return rank(a) < rank(b);
  }

  /// False waits with what is still guarded, and, where the consumer lies behind (a loop), with what the next
  /// iteration will have guarded by then.
  [[nodiscard]] static std::uint64_t cost(const Counter& counter, const Guarded& guarded) {
    std::uint64_t sum = 0;
    for (Guarded user : counter.users) {
      sum += false_wait(user, guarded);
      user.begin += guarded.shift;
      user.due += guarded.shift;
      if (guarded.shift != 0 && user.begin > guarded.begin && user.begin < guarded.due) {
        sum += false_wait(guarded, user);
      }
    }
    return sum;
  }

  std::uint8_t usable_;
  std::array<Counter, isa::kDependenceCounters> counters_;
  std::uint64_t uses_ = 0;
};

std::uint64_t expected_latency(const isa::Instr& instr, const isa::TimingTable& timing) {
  switch (instr.space) {
    case isa::MemSpace::kGlobal:
    case isa::MemSpace::kLocal:
    case isa::MemSpace::kClusterShared: return kGlobalLatency;
    case isa::MemSpace::kShared: return kSharedLatency;
    default: return timing[static_cast<std::size_t>(instr.timing)].latency;
  }
}

/// Where instructions lie in time if nothing but their pipes' intervals held them up.
class Places {
 public:
  Places(const trace::Kernel& kernel, const isa::TimingTable& timing) {
    std::uint64_t cycle = 0;
    for (const isa::Instr& instr : kernel.code) {
      places_.push_back(cycle);
      const Ratio& interval = timing[static_cast<std::size_t>(instr.timing)].interval;
      cycle += std::max<std::uint64_t>(1, interval.numerator / interval.denominator);
    }
    places_.push_back(cycle);
  }
  [[nodiscard]] std::uint64_t of(std::uint32_t instr) const { return places_[instr]; }
  /// The place of an instruction's first use. A use that lies behind is met on the way around a loop: its distance is
  /// that of as many average instructions.
  [[nodiscard]] std::uint64_t of_use(std::uint32_t instr, const FirstUse& use) const {
    return use.instr > instr ? places_[use.instr]
                             : places_[instr] + use.distance * places_.back() / (places_.size() - 1);
  }

 private:
  std::vector<std::uint64_t> places_;  ///< the last is the end of the kernel
};

Guarded make_pending(const isa::Instr& instr, std::uint32_t index, const FirstUse& use, const Places& places) {
  Guarded guarded;
  guarded.begin = places.of(index);
  guarded.due = places.of_use(index, use);
  guarded.shift = use.instr > index ? 0 : guarded.due - places.of(use.instr);
  guarded.consumer = use.instr;
  guarded.timing = instr.timing;
  guarded.space = instr.space;
  return guarded;
}

std::uint8_t counters_of_depbars(const trace::Kernel& kernel) {
  unsigned mask = 0;
  for (const isa::Instr& instr : kernel.code) {
    mask |= instr.kind == isa::OpKind::kDepbar ? 1U << instr.depbar_counter : 0U;
  }
  return static_cast<std::uint8_t>(mask);
}

/// For each LDGDEPBAR the counter of the next DEPBAR in program order, or of the first one (the way around a loop).
class CommitCounters {
 public:
  explicit CommitCounters(const trace::Kernel& kernel) : kernel_(kernel) {
    for (std::uint32_t i = 0; i < kernel.code.size(); ++i) {
      if (kernel.code[i].kind == isa::OpKind::kDepbar) {
        depbars_.push_back(i);
      }
    }
  }
  [[nodiscard]] std::uint8_t after(std::uint32_t commit) const {
    if (depbars_.empty()) {
      return isa::kNoBarrier;
    }
    const auto next = std::lower_bound(depbars_.begin(), depbars_.end(), commit);
    return kernel_.code[next == depbars_.end() ? depbars_.front() : *next].depbar_counter;
  }

 private:
  const trace::Kernel& kernel_;
  std::vector<std::uint32_t> depbars_;
};

}  // namespace

std::vector<IncrementedCounters> assign_counters(const trace::Kernel& kernel, const isa::TimingTable& timing,
                                                 const Lookahead& lookahead) {
  std::vector<IncrementedCounters> counters(kernel.code.size());
  Allocator allocator(counters_of_depbars(kernel));
  const CommitCounters commits(kernel);
  const Places places(kernel, timing);
  for (std::uint32_t i = 0; i < kernel.code.size(); ++i) {
    const isa::Instr& instr = kernel.code[i];
    if (instr.kind == isa::OpKind::kBulkCommit) {
      counters[i].read = commits.after(i);  // cp.async.bulk.wait_group.read: its sources may be overwritten
      continue;
    }
    if (instr.kind == isa::OpKind::kAsyncCommit) {
      counters[i].write = commits.after(i);
      continue;
    }
    if (isa::info(instr.timing).kind == isa::LatencyKind::kFixed) {
      continue;
    }
    if (const auto use = lookahead.first_consumer(i)) {
      Guarded guarded = make_pending(instr, i, *use, places);
      guarded.latency = expected_latency(instr, timing);
      counters[i].write = allocator.take(guarded);
    }
    if (const auto use = lookahead.first_overwriter(i)) {
      Guarded guarded = make_pending(instr, i, *use, places);
      guarded.latency = kSourceReadLatency;
      guarded.is_read = true;
      counters[i].read = allocator.take(guarded);
    }
  }
  return counters;
}

}  // namespace gpusim::lower
