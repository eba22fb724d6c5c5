// SPDX-License-Identifier: MIT
#pragma once

#include "sim/model/policy/dram/queue.h"

namespace gpusim::policy {

/// First come, first served, for comparison: the oldest request alone is served, the others do not even have their rows
/// prepared.
struct Fcfs {
  static constexpr bool kServesOldestOnly = true;
  explicit Fcfs(const DramSchedulerOptions& /*options*/ = {}) {}

  template <DramQueue Queue>
  static BankSet may_burst(const Queue& queue) {
    return bank_of_oldest(queue, true);
  }
  template <DramQueue Queue>
  static BankSet may_prepare(const Queue& queue) {
    return bank_of_oldest(queue, false);
  }
  static bool must_close(std::uint32_t /*overtakes*/) { return false; }

 private:
  template <DramQueue Queue>
  static BankSet bank_of_oldest(const Queue& queue, bool hit) {
    BankSet banks;
    if (const OldestRequest oldest = oldest_request(queue); oldest.exists() && oldest.hit == hit) {
      banks.insert(oldest.bank);
    }
    return banks;
  }
};

}  // namespace gpusim::policy
