// SPDX-License-Identifier: MIT
#include "sim/mem/dram/bank_queues.h"

namespace gpusim::mem::dram {

BankQueues::BankQueues(std::uint32_t banks, std::uint32_t bursts)
    : nodes_(bursts), hits_(banks), waiting_(banks), has_hits_(banks), has_waiting_(banks) {
  clear();
}

void BankQueues::clear() {
  size_ = 0;
  free_ = kNone;
  for (auto node = static_cast<Index>(nodes_.size()); node-- > 0;) {
    nodes_[node] = {Burst{}, free_};
    free_ = node;
  }
  hits_.assign(hits_.size(), List{});
  waiting_.assign(waiting_.size(), List{});
  has_hits_.clear();
  has_waiting_.clear();
}

void BankQueues::push(std::uint32_t bank, const Burst& burst, bool hit) {
  assert(free_ != kNone);
  const Index node = free_;
  free_ = nodes_[node].next;
  nodes_[node].burst = burst;
  append(hit ? hits_[bank] : waiting_[bank], node);
  (hit ? has_hits_ : has_waiting_).insert(bank);
  ++size_;
}

Burst BankQueues::pop_hit(std::uint32_t bank) {
  List& list = hits_[bank];
  const Index node = list.first;
  assert(node != kNone);
  list.first = nodes_[node].next;
  if (list.first == kNone) {
    list.last = kNone;
    has_hits_.erase(bank);
  }
  nodes_[node].next = free_;
  free_ = node;
  --size_;
  return nodes_[node].burst;
}

void BankQueues::open(std::uint32_t bank, std::uint64_t row) {
  assert(hits_[bank].first == kNone);
  Index node = waiting_[bank].first;
  waiting_[bank] = {};
  while (node != kNone) {
    const Index next = nodes_[node].next;
    append(nodes_[node].burst.row == row ? hits_[bank] : waiting_[bank], node);
    node = next;
  }
  if (hits_[bank].first != kNone) {
    has_hits_.insert(bank);
  }
  if (waiting_[bank].first == kNone) {
    has_waiting_.erase(bank);
  }
}

void BankQueues::close(std::uint32_t bank) {
  if (hits_[bank].first == kNone) {
    return;
  }
  Index a = hits_[bank].first;
  Index b = waiting_[bank].first;
  hits_[bank] = {};
  waiting_[bank] = {};
  while (a != kNone || b != kNone) {
    const bool take_a = b == kNone || (a != kNone && nodes_[a].burst.order < nodes_[b].burst.order);
    Index& from = take_a ? a : b;
    const Index node = from;
    from = nodes_[node].next;
    append(waiting_[bank], node);
  }
  has_hits_.erase(bank);
  has_waiting_.insert(bank);
}

}  // namespace gpusim::mem::dram
