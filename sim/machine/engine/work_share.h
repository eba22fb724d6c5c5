// SPDX-License-Identifier: MIT
// Which worker does which item of work, such as the domains of a window. Each worker has a share of its own, the same
// items each time, so that what belongs to an item mostly stays in the cache of one core; a worker whose share is used
// up helps the others.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "sim/base/prefetch.h"

namespace gpusim::engine {

class WorkShare {
 public:
  /// The number of a domain, or of whatever else there is to do.
  using Item = std::uint32_t;
  static constexpr Item kNone = ~Item{0};

  /// `workers` at least 1.
  explicit WorkShare(unsigned workers) : workers_(workers), shares_(std::make_unique<Share[]>(workers)) {}

  /// New items, each once. All items before must have been taken; workers may be in take().
  void deal(std::span<const Item> items) {
    const std::span<Share> shares(shares_.get(), workers_);
    for (Share& share : shares) {
      share.items.clear();
    }
    for (const Item item : items) {
      shares[item % workers_].items.push_back(item);
    }
    for (Share& share : shares) {
      share.count_and_taken.store(std::uint64_t{share.items.size()} << kCountAt, std::memory_order_release);
    }
  }

  /// An item that nobody has taken, of the worker's own share as long as that lasts; kNone when none is left. The last
  /// go first: a machine's memory partitions, each of which takes longer than an SM, should not begin when the others
  /// end. Whatever was written before deal() is visible to the worker that takes one of its items.
  [[nodiscard]] Item take(unsigned worker) {
    for (unsigned i = 0; i < workers_; ++i) {
      if (const Item item = take_of(shares_[(worker + i) % workers_]); item != kNone) {
        return item;
      }
    }
    return kNone;
  }

 private:
  /// A share's items, and in one word how many there are and how many of them have been taken: a thread that adds one
  /// to the word learns both, of the items that the word is of. A worker that is late finds nothing, or an item that
  /// was dealt later, which it may do as well.
  struct alignas(kHostLineBytes) Share {
    std::atomic<std::uint64_t> count_and_taken{0};
    std::vector<Item> items;
  };
  static constexpr unsigned kCountAt = 32;

  static bool has_more(std::uint64_t word) { return static_cast<std::uint32_t>(word) < word >> kCountAt; }

  static Item take_of(Share& share) {
    if (!has_more(share.count_and_taken.load(std::memory_order_relaxed))) {
      return kNone;
    }
    const std::uint64_t word = share.count_and_taken.fetch_add(1, std::memory_order_acquire);
    return has_more(word) ? share.items.end()[-1 - static_cast<std::ptrdiff_t>(static_cast<std::uint32_t>(word))]
                          : kNone;
  }

  unsigned workers_;
  std::unique_ptr<Share[]> shares_;
};

}  // namespace gpusim::engine
