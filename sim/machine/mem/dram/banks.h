// SPDX-License-Identifier: MIT
// The banks of a pseudo-channel and the requests that wait for them: which rows are open, and for which. It knows no
// time and sends no commands. Owns the state of the rows, and the queues.
#pragma once

#include <algorithm>
#include <array>
#include <cassert>
#include <cstdint>
#include <utility>
#include <vector>

#include "sim/machine/mem/dram/address_map.h"
#include "sim/machine/mem/dram/timing_table.h"
#include "sim/model/policy/dram/bank_set.h"

namespace gpusim::mem::dram {

/// A request, whose bursts are all in one row. `order` is that of arrival.
struct Queued {
  std::uint64_t row = 0;
  std::uint64_t order = 0;
  std::uint32_t token = 0;
  std::uint8_t bursts = 0;  ///< not sent yet
  bool counted = false;     ///< its next burst, as row miss or conflict
};

/// The queued requests of one direction (reads or writes), sorted by bank and by whether their row is open, so that a
/// scheduling decision looks at one request per bank instead of at the whole queue.
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

class Banks {
 public:
  /// `requests`: places of reads, and as many of writes.
  Banks(std::uint32_t banks, std::uint32_t requests);

  [[nodiscard]] const BankQueues& queue(bool write) const { return queues_[write ? 1 : 0]; }
  /// Requests, reads and writes together.
  [[nodiscard]] std::uint32_t queued() const { return queues_[0].requests() + queues_[1].requests(); }
  /// Those with an open row.
  [[nodiscard]] BankSet open() const { return open_; }
  /// Those whose row was opened for a read (or write) that has not gone yet. It goes first even when the channel has
  /// turned meanwhile, and its row stays open for it: no ACT is in vain.
  [[nodiscard]] BankSet promised(bool write) const { return promised_[write ? 1 : 0]; }
  /// The row that is open, or was last.
  [[nodiscard]] std::uint64_t row(std::uint32_t bank) const { return banks_[bank].row; }
  /// What a bank without hits needs next.
  [[nodiscard]] Command row_command(std::uint32_t bank) const {
    return open_.contains(bank) ? Command::kPrecharge : Command::kActivate;
  }
  /// The order of the bank's oldest request; kNever when it has none.
  [[nodiscard]] std::uint64_t oldest_order(std::uint32_t bank) const;
  [[nodiscard]] bool has_requests(std::uint32_t bank) const { return oldest_order(bank) != kNever; }

  /// Queues a request; returns whether its row is open and takes more bursts.
  bool push(const Place& place, const Queued& request, bool write) {
    const Bank& bank = banks_[place.bank];
    const bool hit = open_.contains(place.bank) && !bank.closing && bank.row == place.row;
    queues_[write ? 1 : 0].push(place.bank, request, hit);
    return hit;
  }
  /// Takes a burst of the oldest request of the open row; returns the request as it was.
  Queued take_burst(std::uint32_t bank, bool write) {
    promised_[write ? 1 : 0].erase(bank);
    return queues_[write ? 1 : 0].take_burst(bank);
  }
  /// Marks the next burst of the bank's oldest request without an open row as counted; returns whether it was not.
  bool count_waiting(std::uint32_t bank, bool write) { return queues_[write ? 1 : 0].count_waiting(bank); }
  /// A burst has gone ahead of an older one of another row; returns how many have since the row was opened.
  std::uint32_t note_overtaking(std::uint32_t bank) { return ++banks_[bank].overtakes; }
  /// The row of the oldest read (or write) that waits is open from now on.
  void open_row(std::uint32_t bank, bool write);
  /// The open row takes no more bursts.
  void stop_serving(std::uint32_t bank);
  /// As stop_serving(), and nobody is promised the row any more.
  void give_up(std::uint32_t bank);
  void close_row(std::uint32_t bank);
  void clear();

 private:
  struct Bank {
    std::uint64_t row = 0;
    bool closing = false;         ///< its open row takes no more bursts
    std::uint32_t overtakes = 0;  ///< bursts of the open row sent ahead of an older burst of another row
  };

  BankSet open_;
  std::array<BankSet, 2> promised_;  ///< by direction: reads, writes
  std::array<BankQueues, 2> queues_;
  std::vector<Bank> banks_;
};

}  // namespace gpusim::mem::dram
