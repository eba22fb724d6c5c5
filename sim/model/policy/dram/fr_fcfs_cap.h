// SPDX-License-Identifier: MIT
#pragma once

#include "sim/model/policy/dram/fr_fcfs.h"

namespace gpusim::policy {

/// FR-FCFS, but a row that was preferred to an older request for `cap` bursts must close: nobody starves (Mutlu and
/// Moscibroda, MICRO 2007, call it FR-FCFS+Cap).
class FrFcfsCap : public FrFcfs {
 public:
  explicit FrFcfsCap(const DramSchedulerOptions& options) : cap_(options.cap) {}
  [[nodiscard]] bool must_close(std::uint32_t overtakes) const { return overtakes >= cap_; }

 private:
  std::uint32_t cap_;
};

}  // namespace gpusim::policy
