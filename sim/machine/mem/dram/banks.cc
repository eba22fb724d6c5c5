// SPDX-License-Identifier: MIT
#include "sim/machine/mem/dram/banks.h"

namespace gpusim::mem::dram {

BankQueues::BankQueues(std::uint32_t banks, std::uint32_t requests) : banks_(banks), nodes_(requests) {
  assert(banks <= BankSet::kMostBanks && requests < kNone);
  clear();
}

void BankQueues::clear() {
  requests_ = 0;
  bursts_ = 0;
  free_ = kNone;
  for (std::size_t node = nodes_.size(); node-- > 0;) {
    nodes_[node] = {Queued{}, free_};
    free_ = static_cast<Index>(node);
  }
  banks_.assign(banks_.size(), Bank{});
  has_hits_.clear();
  has_waiting_.clear();
}

void BankQueues::push(std::uint32_t bank, const Queued& request, bool hit) {
  assert(!full() && request.bursts > 0);
  const Index node = free_;
  free_ = nodes_[node].next;
  nodes_[node].request = request;
  append(hit ? banks_[bank].hits : banks_[bank].waiting, node);
  (hit ? has_hits_ : has_waiting_).insert(bank);
  ++requests_;
  bursts_ += request.bursts;
}

Queued BankQueues::take_burst(std::uint32_t bank) {
  List& list = banks_[bank].hits;
  const Index index = list.first;
  assert(index != kNone);
  Node& node = nodes_[index];
  const Queued before = node.request;
  --bursts_;
  node.request.counted = false;
  if (--node.request.bursts > 0) {
    return before;
  }
  list.first = node.next;
  if (list.first == kNone) {
    list.last = kNone;
    has_hits_.erase(bank);
  }
  node.next = free_;
  free_ = index;
  --requests_;
  return before;
}

void BankQueues::open(std::uint32_t bank, std::uint64_t row) {
  auto& [hits, waiting] = banks_[bank];
  assert(hits.first == kNone);
  Index node = waiting.first;
  waiting = {};
  while (node != kNone) {
    const Index next = nodes_[node].next;
    append(nodes_[node].request.row == row ? hits : waiting, node);
    node = next;
  }
  if (hits.first != kNone) {
    has_hits_.insert(bank);
  }
  if (waiting.first == kNone) {
    has_waiting_.erase(bank);
  }
}

void BankQueues::close(std::uint32_t bank) {
  if (!has_hits_.contains(bank)) {
    return;
  }
  auto& [hits, waiting] = banks_[bank];
  Index a = hits.first;
  Index b = waiting.first;
  hits = {};
  waiting = {};
  while (a != kNone || b != kNone) {
    const bool take_a = b == kNone || (a != kNone && nodes_[a].request.order < nodes_[b].request.order);
    Index& from = take_a ? a : b;
    const Index node = from;
    from = nodes_[node].next;
    append(waiting, node);
  }
  has_hits_.erase(bank);
  has_waiting_.insert(bank);
}

Banks::Banks(std::uint32_t banks, std::uint32_t requests)
    : queues_{BankQueues(banks, requests), BankQueues(banks, requests)}, banks_(banks) {}

std::uint64_t Banks::oldest_order(std::uint32_t bank) const {
  std::uint64_t oldest = kNever;
  for (const BankQueues& one : queues_) {
    oldest = one.banks_with_hits().contains(bank) ? std::min(oldest, one.oldest_hit(bank).order) : oldest;
    oldest = one.banks_waiting().contains(bank) ? std::min(oldest, one.oldest_waiting(bank).order) : oldest;
  }
  return oldest;
}

void Banks::open_row(std::uint32_t bank, bool write) {
  banks_[bank] = {queue(write).oldest_waiting(bank).row, false, 0};
  open_.insert(bank);
  promised_[write ? 1 : 0].insert(bank);
  for (BankQueues& one : queues_) {
    one.open(bank, banks_[bank].row);
  }
}

[[gnu::noinline]] void Banks::stop_serving(std::uint32_t bank) {
  banks_[bank].closing = true;
  for (BankQueues& one : queues_) {
    one.close(bank);
  }
}

void Banks::give_up(std::uint32_t bank) {
  stop_serving(bank);
  for (BankSet& one : promised_) {
    one.erase(bank);
  }
}

void Banks::close_row(std::uint32_t bank) {
  give_up(bank);
  open_.erase(bank);
}

void Banks::clear() {
  std::fill(banks_.begin(), banks_.end(), Bank{});
  open_.clear();
  promised_ = {};
  for (BankQueues& one : queues_) {
    one.clear();
  }
}

}  // namespace gpusim::mem::dram
