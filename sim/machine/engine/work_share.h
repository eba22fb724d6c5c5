// SPDX-License-Identifier: MIT
// Which worker runs which domain of a window. Each worker has a share of its own, so that a domain's state mostly stays
// in the cache of one core; a worker whose share is used up helps the others.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "sim/base/prefetch.h"
#include "sim/machine/msg/message.h"

namespace gpusim::engine {

class WorkShare {
 public:
  static constexpr msg::DomainId kNone = ~msg::DomainId{0};

  /// `workers` at least 1; domains have 16 bits.
  explicit WorkShare(unsigned workers) : workers_(workers), shares_(std::make_unique<Share[]>(workers)) {}

  /// The domains of a new window, each once. All of the window before must have been taken; workers may be in take().
  void deal(std::span<const msg::DomainId> domains) {
    const std::span<Share> shares(shares_.get(), workers_);
    for (Share& share : shares) {
      share.domains.clear();
    }
    for (const msg::DomainId id : domains) {
      shares[id % workers_].domains.push_back(id);
    }
    for (Share& share : shares) {
      share.count_and_taken.store(std::uint64_t{share.domains.size()} << kCountAt, std::memory_order_release);
    }
  }

  /// A domain that nobody has taken, of the worker's own share as long as that lasts; kNone when none is left. The last
  /// go first: a machine's memory partitions, each of which takes longer than an SM, should not begin when the others
  /// end. Whatever was written before deal() is visible to the worker that takes one of its domains.
  [[nodiscard]] msg::DomainId take(unsigned worker) {
    for (unsigned i = 0; i < workers_; ++i) {
      if (const msg::DomainId id = take_of(shares_[(worker + i) % workers_]); id != kNone) {
        return id;
      }
    }
    return kNone;
  }

 private:
  /// A share's domains, and in one word how many there are and how many of them have been taken: whoever adds one to
  /// the word learns both, of the window that the word is of. A worker that is late finds nothing or a domain of the
  /// next window, which it may run as well.
  struct alignas(kHostLineBytes) Share {
    std::atomic<std::uint64_t> count_and_taken{0};
    std::vector<msg::DomainId> domains;
  };
  static constexpr unsigned kCountAt = 32;

  static bool has_more(std::uint64_t word) { return static_cast<std::uint32_t>(word) < word >> kCountAt; }

  static msg::DomainId take_of(Share& share) {
    if (!has_more(share.count_and_taken.load(std::memory_order_relaxed))) {
      return kNone;
    }
    const std::uint64_t word = share.count_and_taken.fetch_add(1, std::memory_order_acquire);
    return has_more(word) ? share.domains.end()[-1 - static_cast<std::ptrdiff_t>(static_cast<std::uint32_t>(word))]
                          : kNone;
  }

  unsigned workers_;
  std::unique_ptr<Share[]> shares_;
};

}  // namespace gpusim::engine
