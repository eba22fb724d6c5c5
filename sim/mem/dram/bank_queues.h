// SPDX-License-Identifier: MIT
// The queued bursts of one direction (reads or writes), sorted by bank and by whether their row is open, so that a
// scheduling decision looks at one burst a bank instead of at the whole queue.
#pragma once

#include <bit>
#include <cassert>
#include <cstdint>
#include <vector>

#include "sim/base/types.h"

namespace gpusim::mem::dram {

/// A set of banks; iteration is in ascending order.
class BankSet {
 public:
  explicit BankSet(std::uint32_t banks) : words_((banks + 63) / 64) {}
  void insert(std::uint32_t bank) { words_[bank / 64] |= std::uint64_t{1} << (bank % 64); }
  void erase(std::uint32_t bank) { words_[bank / 64] &= ~(std::uint64_t{1} << (bank % 64)); }
  [[nodiscard]] bool contains(std::uint32_t bank) const { return (words_[bank / 64] >> (bank % 64) & 1) != 0; }
  void clear() { words_.assign(words_.size(), 0); }

  /// 64 banks from bank 64 * index, as a mask.
  [[nodiscard]] std::uint64_t word(std::size_t index) const { return words_[index]; }
  [[nodiscard]] std::size_t words() const { return words_.size(); }

  template <class Visit>
  void for_each(Visit&& visit) const {
    for_each_where(
        words(), [this](std::size_t i) { return words_[i]; }, visit);
  }
  /// Visits the banks of a combination of sets: `word(i)` combines their words.
  template <class Word, class Visit>
  static void for_each_where(std::size_t words, Word&& word, Visit&& visit) {
    for (std::size_t i = 0; i < words; ++i) {
      for (std::uint64_t left = word(i); left != 0; left &= left - 1) {
        visit(static_cast<std::uint32_t>(i * 64 + static_cast<std::size_t>(std::countr_zero(left))));
      }
    }
  }
  template <class Word>
  [[nodiscard]] static bool any_where(std::size_t words, Word&& word) {
    std::uint64_t any = 0;
    for (std::size_t i = 0; i < words; ++i) {
      any |= word(i);
    }
    return any != 0;
  }

 private:
  std::vector<std::uint64_t> words_;
};

/// One column command to come. `order` is that of arrival; `request` is the owner's index.
struct Burst {
  std::uint64_t row = 0;
  std::uint64_t order = 0;
  std::uint32_t request = 0;
  bool counted = false;  ///< as row miss or conflict
};

class BankQueues {
 public:
  /// Room for `bursts` in all.
  BankQueues(std::uint32_t banks, std::uint32_t bursts);

  /// `hit`: the burst's row is open and still being served.
  void push(std::uint32_t bank, const Burst& burst, bool hit);
  /// Takes the oldest burst of the open row.
  Burst pop_hit(std::uint32_t bank);
  [[nodiscard]] const Burst& oldest_hit(std::uint32_t bank) const { return nodes_[hits_[bank].first].burst; }
  [[nodiscard]] Burst& oldest_waiting(std::uint32_t bank) { return nodes_[waiting_[bank].first].burst; }
  /// `row` has been opened: its bursts become hits.
  void open(std::uint32_t bank, std::uint64_t row);
  /// The open row is given up: its bursts wait again, in their old order.
  void close(std::uint32_t bank);
  void clear();

  [[nodiscard]] const BankSet& banks_with_hits() const { return has_hits_; }
  [[nodiscard]] const BankSet& banks_waiting() const { return has_waiting_; }
  [[nodiscard]] std::uint32_t size() const { return size_; }

 private:
  using Index = std::uint32_t;
  static constexpr Index kNone = ~Index{0};
  struct Node {
    Burst burst;
    Index next = kNone;
  };
  struct List {
    Index first = kNone;
    Index last = kNone;
  };

  void append(List& list, Index node) {
    nodes_[node].next = kNone;
    (list.last == kNone ? list.first : nodes_[list.last].next) = node;
    list.last = node;
  }

  std::uint32_t size_ = 0;
  Index free_ = kNone;
  std::vector<Node> nodes_;
  std::vector<List> hits_;     ///< by bank, oldest first
  std::vector<List> waiting_;  ///< by bank, oldest first
  BankSet has_hits_;
  BankSet has_waiting_;
};

}  // namespace gpusim::mem::dram
