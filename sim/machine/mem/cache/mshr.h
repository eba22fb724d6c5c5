// SPDX-License-Identifier: MIT
// Miss status holding registers: the lines a cache has asked for and not yet received, and the targets that wait for
// their sectors. Sectors arrive in any grouping; a target is handed back when the last one it needs has arrived. Owns
// the entries and the targets.
#pragma once

#include <bit>
#include <cassert>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "sim/base/hash.h"
#include "sim/base/zeroed_array.h"
#include "sim/machine/mem/cache/line.h"

namespace gpusim::mem::cache {

template <class Target>
class MshrTable {
  static_assert(std::is_trivially_copyable_v<Target>);

 public:
  using Entry = std::uint32_t;
  static constexpr Entry kNone = ~Entry{0};
  /// For `most_targets`: as many as come.
  static constexpr std::uint32_t kUnbounded = ~std::uint32_t{0};

  /// At most `entries` lines outstanding (at least 1), with at most `most_targets` on each.
  explicit MshrTable(std::uint32_t entries, std::uint32_t most_targets = kUnbounded)
      : capacity_(entries),
        most_targets_(most_targets),
        buckets_(2 * std::bit_ceil(std::size_t{entries})),
        mask_(buckets_.size() - 1) {}

  [[nodiscard]] std::uint32_t capacity() const { return capacity_; }
  [[nodiscard]] std::uint32_t size() const { return size_; }
  [[nodiscard]] bool empty() const { return size_ == 0; }
  [[nodiscard]] bool can_allocate() const { return size_ < capacity(); }

  /// The entry of an outstanding line, or kNone.
  [[nodiscard]] Entry find(LineNumber line) const {
    const std::uint32_t print = print_of(line);
    for (std::size_t at = print & mask(); buckets_[at].entry != kNone; at = (at + 1) & mask()) {
      if (buckets_[at].print == print && lines_[buckets_[at].entry].line == line) {
        return buckets_[at].entry;
      }
    }
    return kNone;
  }
  /// For the host's speed alone: fetches what find() starts with, and what an entry that ends is taken out of; an
  /// entry.
  void prefetch(LineNumber line) const { __builtin_prefetch(&buckets_[print_of(line) & mask()], 1); }
  void prefetch_entry(Entry entry) const { __builtin_prefetch(lines_.data() + entry, 1); }
  /// The oldest target of an outstanding line, unless it has been handed back already.
  [[nodiscard]] const Target& oldest(Entry entry) const { return lines_[entry].oldest; }
  [[nodiscard]] bool can_merge(Entry entry) const { return lines_[entry].targets < most_targets_; }
  /// Sectors of the entry's line that were asked for and have not arrived.
  [[nodiscard]] SectorMask outstanding(Entry entry) const { return lines_[entry].outstanding; }
  [[nodiscard]] std::uint32_t targets(Entry entry) const { return lines_[entry].targets; }

  /// A new entry for a line that has none; it lives until all sectors asked for have arrived. Needs can_allocate().
  Entry allocate(LineNumber line, SectorMask sectors) {
    assert(can_allocate() && sectors != 0 && find(line) == kNone);
    const Entry entry = take_entry();
    Line& fresh = lines_[entry];
    fresh.line = line;
    fresh.outstanding = sectors;
    fresh.print = print_of(line);
    enter({fresh.print, entry});
    ++size_;
    return entry;
  }

  /// `target` waits for all of `sectors`. Returns those that were not yet outstanding: the owner has to ask for them.
  /// Needs can_merge().
  SectorMask add_target(Entry entry, SectorMask sectors, const Target& target) {
    assert(can_merge(entry) && sectors != 0);
    Line& line = lines_[entry];
    if (line.targets++ == 0) {
      line.oldest = target;
      line.oldest_missing = sectors;
    } else {
      append(line, target, sectors);
    }
    const auto asked = static_cast<SectorMask>(sectors & ~line.outstanding);
    line.outstanding |= sectors;
    return asked;
  }

  /// `sectors` were asked for as well, which no target waits for.
  void expect(Entry entry, SectorMask sectors) { lines_[entry].outstanding |= sectors; }

  /// `sectors` of an outstanding line have arrived: calls `ready(target)` for every target whose sectors are now
  /// complete, in the order of arrival. `ready` must not use the table. Returns true when the entry is free again.
  template <class Ready>
  bool complete(Entry entry, SectorMask sectors, Ready&& ready) {
    assert(entry < capacity() && lines_[entry].line != kNoLine);
    Line& line = lines_[entry];
    const auto missing = static_cast<SectorMask>(~sectors);
    line.outstanding &= missing;
    if (line.oldest_missing != 0) {
      line.oldest_missing &= missing;
      if (line.oldest_missing == 0) {
        ready(static_cast<const Target&>(line.oldest));
        --line.targets;
      }
    }
    if (line.first_merged != kNone) {
      complete_merged(line, missing, ready);
    }
    if (line.outstanding != 0) {
      return false;
    }
    release(entry);
    return true;
  }

  /// Back to the state after construction.
  void reset() {
    size_ = 0;
    nodes_.clear();
    free_node_ = kNone;
    buckets_.assign(buckets_.size(), Bucket{});
    made_ = 0;
    free_ = kNone;
  }

 private:
  using Node = std::uint32_t;
  /// Most lines have one target: it lives in the entry.
  struct Outstanding {
    LineNumber line = kNoLine;
    Target oldest{};
    Entry next = kNone;         ///< for a free entry: the next free one
    Node first_merged = kNone;  ///< the targets that came later
    Node last_merged = kNone;
    std::uint32_t targets = 0;  ///< all of them
    std::uint32_t print = 0;    ///< fingerprint of the line
    SectorMask outstanding = 0;
    SectorMask oldest_missing = 0;  ///< 0: the oldest has been handed back
  };
  /// None straddles two cache lines of the host.
  struct alignas(std::bit_ceil(sizeof(Outstanding))) Line : Outstanding {};
  struct Waiting {
    Target target;
    Node next;
    SectorMask missing;
  };

  /// An entry is in the first bucket from print & mask() on that was free. A search for a line reads buckets that
  /// are side by side, and of the entries, which are not, hardly ever another than the line's.
  struct Bucket {
    std::uint32_t print = 0;
    Entry entry = kNone;
  };

  [[nodiscard]] static std::uint32_t print_of(LineNumber line) {
    return static_cast<std::uint32_t>(spread_to(line, 32));
  }
  [[nodiscard]] std::size_t mask() const { return mask_; }

  void enter(const Bucket& bucket) {
    std::size_t at = bucket.print & mask();
    while (buckets_[at].entry != kNone) {
      at = (at + 1) & mask();
    }
    buckets_[at] = bucket;
  }

  void leave(const Bucket& bucket) {
    std::size_t hole = bucket.print & mask();
    while (buckets_[hole].entry != bucket.entry) {
      hole = (hole + 1) & mask();
    }
    // What would be found no more beyond the hole moves into it.
    for (std::size_t at = (hole + 1) & mask(); buckets_[at].entry != kNone; at = (at + 1) & mask()) {
      const std::size_t from_first = (at - buckets_[at].print) & mask();
      if (from_first >= ((at - hole) & mask())) {
        buckets_[hole] = buckets_[at];
        hole = at;
      }
    }
    buckets_[hole] = Bucket{};
  }

  /// The free entry that was used last, or one that never was.
  Entry take_entry() {
    if (free_ == kNone) [[unlikely]] {
      return add_entry();
    }
    const Entry entry = free_;
    free_ = lines_[entry].next;
    prefetch_entry(free_);  // for the next allocation
    return entry;
  }

  // Rare: apart from the common case, which its callers contain.
  [[gnu::noinline]] Entry add_entry() {
    if (made_ == 0) {
      lines_ = ZeroedArray<Line>(capacity_);
    }
    lines_[made_] = Line{};
    return made_++;
  }

  void append(Line& line, const Target& target, SectorMask sectors) {
    const Node node = take_node(target, sectors);
    (line.first_merged == kNone ? line.first_merged : nodes_[line.last_merged].next) = node;
    line.last_merged = node;
  }

  template <class Ready>
  void complete_merged(Line& line, SectorMask missing, Ready&& ready) {
    Node previous = kNone;
    for (Node node = line.first_merged; node != kNone;) {
      const Node after = nodes_[node].next;
      nodes_[node].missing &= missing;
      if (nodes_[node].missing == 0) {
        ready(static_cast<const Target&>(nodes_[node].target));
        unlink(line, previous, node);
      } else {
        previous = node;
      }
      node = after;
    }
  }

  Node take_node(const Target& target, SectorMask sectors) {
    if (free_node_ == kNone) {
      nodes_.push_back({target, kNone, sectors});
      return static_cast<Node>(nodes_.size() - 1);
    }
    const Node node = free_node_;
    free_node_ = nodes_[node].next;
    nodes_[node] = {target, kNone, sectors};
    return node;
  }

  void unlink(Line& line, Node previous, Node node) {
    (previous == kNone ? line.first_merged : nodes_[previous].next) = nodes_[node].next;
    if (line.last_merged == node) {
      line.last_merged = previous;
    }
    --line.targets;
    nodes_[node].next = free_node_;
    free_node_ = node;
  }

  void release(Entry entry) {
    Line& line = lines_[entry];
    leave({line.print, entry});
    line.line = kNoLine;
    line.next = free_;
    free_ = entry;
    --size_;
  }

  std::uint32_t capacity_;
  std::uint32_t most_targets_;
  std::uint32_t size_ = 0;
  Entry free_ = kNone;
  Node free_node_ = kNone;
  Entry made_ = 0;               ///< entries that have been used
  ZeroedArray<Line> lines_{0};   ///< by entry; there are none before the first is used
  std::vector<Bucket> buckets_;  ///< at least twice as many as entries, so that one is soon free
  std::size_t mask_;             ///< their number, a power of two, less one
  std::vector<Waiting> nodes_;   ///< targets that are not their line's oldest
};

}  // namespace gpusim::mem::cache
