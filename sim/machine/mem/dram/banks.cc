// SPDX-License-Identifier: MIT
#include "sim/machine/mem/dram/banks.h"

namespace gpusim::mem::dram {

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
