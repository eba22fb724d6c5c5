// SPDX-License-Identifier: MIT
// Translations on their way, and the requests that wait for them: any number of each. Owns the
// translations and the requests.
#pragma once

#include <array>
#include <cassert>
#include <cstdint>

#include "sim/base/hash.h"
#include "sim/base/slot_pool.h"

namespace gpusim::mem::tlb {

template <class Target>
class OutstandingTable {
 public:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  OutstandingTable() { buckets_.fill(kNone); }

  [[nodiscard]] bool empty() const { return outstanding_.used() == 0; }
  /// The slot of a key that somebody waits for, or kNone.
  [[nodiscard]] std::uint32_t find(std::uint64_t key) const {
    std::uint32_t slot = buckets_[bucket_of(key)];
    while (slot != kNone && outstanding_[slot].key != key) {
      slot = outstanding_[slot].next;
    }
    return slot;
  }
  /// A slot for a key that has none.
  std::uint32_t open(std::uint64_t key) {
    std::uint32_t& bucket = buckets_[bucket_of(key)];
    bucket = outstanding_.take({key, bucket, kNone, kNone});
    return bucket;
  }
  void add(std::uint32_t slot, const Target& target) {
    const std::uint32_t node = nodes_.take({target, kNone});
    Outstanding& outstanding = outstanding_[slot];
    (outstanding.last == kNone ? outstanding.first : nodes_[outstanding.last].next) = node;
    outstanding.last = node;
  }
  [[nodiscard]] std::uint64_t key_of(std::uint32_t slot) const { return outstanding_[slot].key; }
  /// Forgets the slot after calling `ready(target)` for every target that waited, in the order of arrival. `ready`
  /// must not use the table.
  template <class Ready>
  void close(std::uint32_t slot, Ready&& ready) {
    const Outstanding closed = outstanding_[slot];
    unlink(slot);
    for (std::uint32_t node = closed.first; node != kNone;) {
      const Node one = nodes_.remove(node);
      ready(one.target);
      node = one.next;
    }
  }

 private:
  static constexpr std::size_t kBuckets = 64;
  struct Outstanding {
    std::uint64_t key = 0;
    std::uint32_t next = kNone;  ///< next in its bucket
    std::uint32_t first = kNone;
    std::uint32_t last = kNone;
  };
  struct Node {
    Target target{};
    std::uint32_t next = kNone;
  };
  [[nodiscard]] static std::size_t bucket_of(std::uint64_t key) { return mix64(key) % kBuckets; }

  void unlink(std::uint32_t slot) {
    std::uint32_t* link = &buckets_[bucket_of(outstanding_[slot].key)];
    while (*link != slot) {
      assert(*link != kNone);
      link = &outstanding_[*link].next;
    }
    *link = outstanding_[slot].next;
    outstanding_.release(slot);
  }

  std::array<std::uint32_t, kBuckets> buckets_;
  SlotPool<Outstanding> outstanding_;
  SlotPool<Node> nodes_;
};

}  // namespace gpusim::mem::tlb
