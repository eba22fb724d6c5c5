// SPDX-License-Identifier: MIT
// The queued requests of one direction (reads or writes), sorted by bank and by whether their row is open, so that a
// scheduling decision looks at one request per bank instead of at the whole queue. Owns the requests.
#pragma once

#include <cassert>
#include <cstdint>
#include <utility>
#include <vector>

#include "sim/model/policy/dram/bank_set.h"

namespace gpusim::mem::dram {

using policy::BankSet;

/// A request, whose bursts are all in one row. `order` is that of arrival.
struct Queued {
  std::uint64_t row = 0;
  std::uint64_t order = 0;
  std::uint32_t token = 0;
  std::uint8_t bursts = 0;  ///< not sent yet
  bool counted = false;     ///< its next burst, as row miss or conflict
};

class BankQueues {
 public:
  BankQueues(std::uint32_t banks, std::uint32_t requests);

  /// `hit`: the request's row is open and still being served. Needs !full().
  void push(std::uint32_t bank, const Queued& request, bool hit);
  /// Takes a burst of the oldest request of the open row; returns the request as it was.
  Queued take_burst(std::uint32_t bank);
  [[nodiscard]] const Queued& oldest_hit(std::uint32_t bank) const { return nodes_[banks_[bank].hits.first].request; }
  [[nodiscard]] const Queued& oldest_waiting(std::uint32_t bank) const {
    return nodes_[banks_[bank].waiting.first].request;
  }
  /// Marks the next burst of oldest_waiting() as counted; returns whether it was not.
  bool count_waiting(std::uint32_t bank) {
    return !std::exchange(nodes_[banks_[bank].waiting.first].request.counted, true);
  }
  /// `row` has been opened: its requests become hits.
  void open(std::uint32_t bank, std::uint64_t row);
  /// The open row is given up: its requests wait again, in their old order.
  void close(std::uint32_t bank);
  void clear();

  [[nodiscard]] BankSet banks_with_hits() const { return has_hits_; }
  [[nodiscard]] BankSet banks_waiting() const { return has_waiting_; }
  [[nodiscard]] std::uint32_t requests() const { return requests_; }
  [[nodiscard]] std::uint32_t bursts() const { return bursts_; }
  [[nodiscard]] bool full() const { return requests_ == nodes_.size(); }

 private:
  using Index = std::uint16_t;
  static constexpr Index kNone = 0xffff;
  struct Node {
    Queued request;
    Index next = kNone;
  };
  struct List {
    Index first = kNone;
    Index last = kNone;
  };
  /// Oldest first.
  struct Bank {
    List hits;
    List waiting;
  };

  void append(List& list, Index node) {
    nodes_[node].next = kNone;
    (list.last == kNone ? list.first : nodes_[list.last].next) = node;
    list.last = node;
  }

  BankSet has_hits_;
  BankSet has_waiting_;
  std::uint32_t requests_ = 0;
  std::uint32_t bursts_ = 0;
  Index free_ = kNone;
  std::vector<Bank> banks_;
  std::vector<Node> nodes_;
};

}  // namespace gpusim::mem::dram
