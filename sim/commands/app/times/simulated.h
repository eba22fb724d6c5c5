// SPDX-License-Identifier: MIT
// The cost of a kernel that is simulated.
#pragma once

#include <string>

#include "sim/commands/app/times/database.h"
#include "sim/commands/sweep/run/key.h"
#include "sim/model/arch/arch.h"
#include "sim/model/trace/kernel.h"
#include "sim/system/run/cost.h"

namespace gpusim::app {

/// A kernel on an architecture, ready to be simulated.
struct Job {
  const arch::Arch* arch = nullptr;
  std::string arch_digest;
  trace::Trace trace;
  std::string trace_digest;
  double work = 0;  ///< warp instructions, about
};

struct Answer {
  run::KernelCost cost;
  bool was_known = false;
};

/// Throws what the simulation does, and cli::Interrupted.
[[nodiscard]] Answer simulate_cost(const Job& job, bool whole, Database& database);

}  // namespace gpusim::app
