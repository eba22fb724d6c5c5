// SPDX-License-Identifier: MIT
#pragma once

#include "sim/model/policy/dram/fr_fcfs.h"

namespace gpusim::policy {

/// FR-FCFS, but a row that was preferred to an older request for `cap` bursts must close: nobody starves (Mutlu and
/// Moscibroda, MICRO 2007, call it FR-FCFS+Cap).
struct FrFcfsCap : FrFcfs {
  static bool must_close(std::uint32_t overtakes, std::uint32_t cap) { return overtakes >= cap; }
};

}  // namespace gpusim::policy
