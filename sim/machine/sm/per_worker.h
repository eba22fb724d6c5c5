// SPDX-License-Identifier: MIT
// What each worker thread of the engine keeps for all SMs it runs: a profile to add to, and what became of
// access patterns to look up. One per thread and not one per SM, because 132 of each would not stay in the host's
// cache; what they end up holding together does not depend on which thread ran which SM.
#pragma once

#include <memory>
#include <vector>

#include "sim/machine/engine/worker.h"
#include "sim/machine/sm/memory/coalescer.h"
#include "sim/machine/sm/warps/stall_records.h"

namespace gpusim::sm {

struct PerWorker {
  Profile profile;
  std::unique_ptr<StateSeries> series;  ///< null unless the run records states over time
  Coalescer coalescer;
  BankConflictCache bank_conflicts;
};

/// By engine::worker_index(). All of one kernel: patterns are numbered by kernel.
using Workers = std::vector<PerWorker>;

/// What the calling thread keeps.
[[nodiscard]] inline PerWorker& mine(Workers& workers) {
  return workers[engine::worker_index()];
}

}  // namespace gpusim::sm
