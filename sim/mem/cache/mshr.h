// SPDX-License-Identifier: MIT
// Miss status holding registers: the lines a cache has asked for and not yet received, and who waits for which of their
// sectors. Sectors arrive in any grouping; a waiter is handed back when the last one it needs has arrived.
#pragma once

#include <bit>
#include <cassert>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "sim/base/hash.h"
#include "sim/mem/cache/tag_array.h"

namespace gpusim::mem::cache {

template <class Waiter>
class MshrTable {
  static_assert(std::is_trivially_copyable_v<Waiter>);

 public:
  using Entry = std::uint32_t;
  static constexpr Entry kNone = ~Entry{0};
  /// For `most_waiters`: as many as come.
  static constexpr std::uint32_t kUnbounded = ~std::uint32_t{0};

  /// At most `entries` lines outstanding (at least 1), with at most `most_waiters` on each.
  explicit MshrTable(std::uint32_t entries, std::uint32_t most_waiters = kUnbounded)
      : most_waiters_(most_waiters), lines_(entries), slots_(std::bit_ceil(std::size_t{entries} * 2), kNone) {
    reset();
  }

  [[nodiscard]] std::uint32_t capacity() const { return static_cast<std::uint32_t>(lines_.size()); }
  [[nodiscard]] std::uint32_t size() const { return size_; }
  [[nodiscard]] bool empty() const { return size_ == 0; }
  [[nodiscard]] bool can_allocate() const { return size_ < capacity(); }

  /// The entry of an outstanding line, or kNone.
  [[nodiscard]] Entry find(LineNumber line) const {
    std::size_t at = home(line);
    while (slots_[at] != kNone && lines_[slots_[at]].line != line) {
      at = next(at);
    }
    return slots_[at];
  }
  /// For the host's speed alone: fetches what find() starts with.
  void prefetch(LineNumber line) const { __builtin_prefetch(&slots_[home(line)]); }
  [[nodiscard]] bool can_merge(Entry entry) const { return lines_[entry].waiters < most_waiters_; }
  /// Sectors of the entry's line that were asked for and have not arrived.
  [[nodiscard]] SectorMask outstanding(Entry entry) const { return lines_[entry].outstanding; }
  [[nodiscard]] std::uint32_t waiters(Entry entry) const { return lines_[entry].waiters; }

  /// A new entry for a line that has none; it lives until all sectors asked for have arrived. Needs can_allocate().
  Entry allocate(LineNumber line, SectorMask sectors) {
    assert(can_allocate() && sectors != 0 && find(line) == kNone);
    const Entry entry = free_;
    free_ = lines_[entry].first;
    lines_[entry] = Line{line, kNone, kNone, 0, sectors};
    std::size_t at = home(line);
    while (slots_[at] != kNone) {
      at = next(at);
    }
    slots_[at] = entry;
    ++size_;
    return entry;
  }

  /// `waiter` waits for all of `sectors`. Returns those that were not yet outstanding: the owner has to ask for them.
  /// Needs can_merge().
  SectorMask add_waiter(Entry entry, SectorMask sectors, const Waiter& waiter) {
    assert(can_merge(entry) && sectors != 0);
    Line& line = lines_[entry];
    const Node node = take_node(waiter, sectors);
    (line.last == kNone ? line.first : nodes_[line.last].next) = node;
    line.last = node;
    ++line.waiters;
    const auto asked = static_cast<SectorMask>(sectors & ~line.outstanding);
    line.outstanding |= sectors;
    return asked;
  }

  /// `sectors` of an outstanding line have arrived: calls `ready(waiter)` for everyone whose sectors are now complete,
  /// in the order in which they came. `ready` must not use the table. Returns true when the entry is free again.
  template <class Ready>
  bool complete(LineNumber number, SectorMask sectors, Ready&& ready) {
    const Entry entry = find(number);
    assert(entry != kNone);
    Line& line = lines_[entry];
    line.outstanding &= static_cast<SectorMask>(~sectors);
    Node previous = kNone;
    for (Node node = line.first; node != kNone;) {
      const Node after = nodes_[node].next;
      nodes_[node].missing &= static_cast<SectorMask>(~sectors);
      if (nodes_[node].missing == 0) {
        ready(static_cast<const Waiter&>(nodes_[node].waiter));
        unlink(line, previous, node);
      } else {
        previous = node;
      }
      node = after;
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
    slots_.assign(slots_.size(), kNone);
    for (Entry entry = 0; entry < capacity(); ++entry) {
      lines_[entry] = Line{kNoLine, entry + 1, kNone, 0, 0};
    }
    free_ = 0;
  }

 private:
  using Node = std::uint32_t;
  struct Line {
    LineNumber line = kNoLine;
    Node first = kNone;  ///< oldest waiter; of a free entry: the next free entry
    Node last = kNone;
    std::uint32_t waiters = 0;
    SectorMask outstanding = 0;
  };
  struct Waiting {
    Waiter waiter;
    Node next;
    SectorMask missing;
  };

  [[nodiscard]] std::size_t home(LineNumber line) const { return mix64(line) & (slots_.size() - 1); }
  [[nodiscard]] std::size_t next(std::size_t at) const { return (at + 1) & (slots_.size() - 1); }

  Node take_node(const Waiter& waiter, SectorMask sectors) {
    if (free_node_ == kNone) {
      nodes_.push_back({waiter, kNone, sectors});
      return static_cast<Node>(nodes_.size() - 1);
    }
    const Node node = free_node_;
    free_node_ = nodes_[node].next;
    nodes_[node] = {waiter, kNone, sectors};
    return node;
  }

  void unlink(Line& line, Node previous, Node node) {
    (previous == kNone ? line.first : nodes_[previous].next) = nodes_[node].next;
    if (line.last == node) {
      line.last = previous;
    }
    --line.waiters;
    nodes_[node].next = free_node_;
    free_node_ = node;
  }

  void release(Entry entry) {
    std::size_t hole = home(lines_[entry].line);
    while (slots_[hole] != entry) {
      hole = next(hole);
    }
    // Entries behind the hole move up when their home does not lie between the hole and them, so that no search ends
    // early.
    for (std::size_t at = next(hole); slots_[at] != kNone; at = next(at)) {
      const std::size_t mask = slots_.size() - 1;
      if (((at - home(lines_[slots_[at]].line)) & mask) >= ((at - hole) & mask)) {
        slots_[hole] = slots_[at];
        hole = at;
      }
    }
    slots_[hole] = kNone;
    lines_[entry] = Line{kNoLine, free_, kNone, 0, 0};
    free_ = entry;
    --size_;
  }

  std::uint32_t most_waiters_;
  std::uint32_t size_ = 0;
  Entry free_ = 0;
  Node free_node_ = kNone;
  std::vector<Line> lines_;   ///< by entry
  std::vector<Entry> slots_;  ///< open addressing, at most half full
  std::vector<Waiting> nodes_;
};

}  // namespace gpusim::mem::cache
