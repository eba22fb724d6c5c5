// SPDX-License-Identifier: MIT
#pragma once

#include "sim/model/policy/dram/queue.h"

namespace gpusim::policy {

/// First ready, first come first served (Rixner et al., ISCA 2000): every hit may go, and a bank that has none prepares
/// the row of its oldest request. As long as hits come, nobody of another row of that bank is served.
struct FrFcfs {
  static constexpr bool kServesOldestOnly = false;
  explicit FrFcfs(const DramSchedulerOptions& /*options*/ = {}) {}

  template <DramQueue Queue>
  static BankSet may_burst(const Queue& queue) {
    return queue.banks_with_hits();
  }
  template <DramQueue Queue>
  static BankSet may_prepare(const Queue& queue) {
    return queue.banks_waiting().without(queue.banks_with_hits());
  }
  static bool must_close(std::uint32_t /*overtakes*/) { return false; }
};

}  // namespace gpusim::policy
