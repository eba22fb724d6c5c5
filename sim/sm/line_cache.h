// SPDX-License-Identifier: MIT
// Tags of a small cache whose lines arrive by themselves: a line that was asked for has its place at once, and the
// cycle from which it can be used. Set-associative, exact LRU, sets by line number modulo, any number of them.
#pragma once

#include <algorithm>
#include <cassert>
#include <cstdint>
#include <vector>

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
        entries_(std::size_t{sets_} * ways_) {}

  /// From which cycle the line can be used; null when it has no place. Makes it the last used of its set.
  [[nodiscard]] const Cycle* use(std::uint32_t line) {
    Entry* const set = set_of(line);
    for (Entry* entry = set; entry != set + ways_; ++entry) {
      if (entry->line == line) {
        entry->used = ++uses_;
        return &entry->arrival;
      }
    }
    return nullptr;
  }
  [[nodiscard]] bool has(std::uint32_t line) const {
    const Entry* const set = entries_.data() + std::size_t{line % sets_} * ways_;
    return std::any_of(set, set + ways_, [line](const Entry& entry) { return entry.line == line; });
  }

  /// A line without a place gets that of the one used longest ago.
  void insert(std::uint32_t line, Cycle arrival) {
    assert(!has(line));
    Entry* const set = set_of(line);
    Entry* const victim =
        std::min_element(set, set + ways_, [](const Entry& a, const Entry& b) { return a.used < b.used; });
    *victim = {line, ++uses_, arrival};
  }

 private:
  static constexpr std::uint32_t kNoLine = 0xffffffffU;
  struct Entry {
    std::uint32_t line = kNoLine;
    std::uint64_t used = 0;  ///< order of use
    Cycle arrival = 0;
  };
  [[nodiscard]] Entry* set_of(std::uint32_t line) { return entries_.data() + std::size_t{line % sets_} * ways_; }

  std::uint32_t sets_;
  std::uint32_t ways_;
  std::uint64_t uses_ = 0;
  std::vector<Entry> entries_;
};

}  // namespace gpusim::sm
