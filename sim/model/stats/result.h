// SPDX-License-Identifier: MIT
// Every number of one run. Reports are functions of a Result and see nothing else; they know no machine.
#pragma once

#include <optional>
#include <vector>

#include "sim/model/stats/kernel_counts.h"
#include "sim/model/stats/kernel_record.h"
#include "sim/model/stats/pc_profile.h"
#include "sim/model/stats/run_facts.h"
#include "sim/model/stats/watch_interval.h"

namespace gpusim::stats {

struct KernelResult : KernelCounts {
  std::vector<PcResult> pcs;           ///< every static instruction, in code order
  std::optional<KernelRecord> record;  ///< over time, where it was asked for
};

struct Result : RunFacts {
  std::vector<KernelResult> kernels;
  std::vector<WatchInterval> watch;  ///< sorted by (kernel, sm, warp_slot, begin)
};

}  // namespace gpusim::stats
