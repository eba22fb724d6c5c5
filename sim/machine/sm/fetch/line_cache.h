// SPDX-License-Identifier: MIT
// Tags of a small cache whose lines arrive by themselves: a line that was asked for has its place at once, and the
// cycle from which it can be used. Set-associative, exact LRU, sets by line number modulo, any number of them. Owns the
// entries and the order of their use.
#pragma once

#include <algorithm>
#include <cassert>
#include <cstdint>
#include <vector>

#include "sim/base/divider.h"
#include "sim/base/types.h"

namespace gpusim::sm {

class LineCache {
 public:
  /// A cache of `lines` places in sets of `ways`, for line numbers below `end_line`: ways that those can never fill
  /// take no memory.
  LineCache(std::uint64_t lines, std::uint32_t ways, std::uint64_t end_line)
      : sets_(static_cast<std::uint32_t>(std::max<std::uint64_t>(1, lines / ways))),
        ways_(static_cast<std::uint32_t>(
            std::min<std::uint64_t>(ways, std::max<std::uint64_t>(1, (end_line + sets_ - 1) / sets_)))),
        by_sets_(sets_),
        by_ways_(ways_),
        entries_(std::size_t{sets_} * ways_) {}

  /// From which cycle the line can be used; kNever when it has no place. Makes it the last used of its set.
  [[nodiscard]] Cycle use(std::uint32_t line) {
    if (line == last_.line) {
      return last_.arrival;
    }
    Entry* const entry = find(line);
    if (entry == nullptr) {
      return kNever;
    }
    entry->used = ++uses_;
    last_ = *entry;
    return entry->arrival;
  }
  /// Whether the line can be used at `now`. If so, makes it the last used of its set.
  [[nodiscard]] bool use_if_there(std::uint32_t line, Cycle now) {
    if (line == last_.line) {
      return last_.arrival <= now;
    }
    Entry* const entry = find(line);
    const bool there = entry != nullptr && entry->arrival <= now;
    if (there) {
      entry->used = ++uses_;
      last_ = *entry;
    }
    return there;
  }
  [[nodiscard]] bool has(std::uint32_t line) { return find(line) != nullptr; }

  /// A line without a place gets that of the one used longest ago.
  void insert(std::uint32_t line, Cycle arrival) {
    assert(!has(line));
    Entry* victim = &entries_[likely_place(line)];
    for (std::uint32_t way = 0; way < ways_ && victim->used != 0; ++way) {
      Entry& entry = entries_[place(line, way)];
      victim = entry.used < victim->used ? &entry : victim;
    }
    *victim = last_ = {line, ++uses_, arrival};
  }

 private:
  static constexpr std::uint32_t kNoLine = 0xffffffffU;
  struct Entry {
    std::uint32_t line = kNoLine;
    std::uint64_t used = 0;  ///< order of use; 0: empty
    Cycle arrival = 0;
  };

  [[nodiscard]] std::uint32_t place(std::uint32_t line, std::uint32_t way) const {
    return way * sets_ + static_cast<std::uint32_t>(by_sets_.remainder(line));
  }
  /// Where a line of code that fits as a whole always is: it is looked for there first.
  [[nodiscard]] std::uint32_t likely_place(std::uint32_t line) const {
    return line < entries_.size()
               ? line
               : place(line, static_cast<std::uint32_t>(by_ways_.remainder(by_sets_.quotient(line))));
  }
  [[nodiscard]] Entry* find(std::uint32_t line) {
    if (Entry& likely = entries_[likely_place(line)]; likely.line == line) {
      return &likely;
    }
    for (std::uint32_t way = 0; way < ways_; ++way) {
      if (Entry& entry = entries_[place(line, way)]; entry.line == line) {
        return &entry;
      }
    }
    return nullptr;
  }

  std::uint32_t sets_;
  std::uint32_t ways_;
  Divider by_sets_;
  Divider by_ways_;
  std::uint64_t uses_ = 0;
  Entry last_;                  ///< the last used of all: asked for again it needs no look into its set
  std::vector<Entry> entries_;  ///< way by way, so that lines that follow each other lie beside each other
};

}  // namespace gpusim::sm
