// SPDX-License-Identifier: MIT
// The classes behind the table of DRAM request schedulers.
#pragma once

#include "sim/model/policy/dram/fcfs.h"
#include "sim/model/policy/dram/fr_fcfs.h"
#include "sim/model/policy/dram/fr_fcfs_cap.h"
#include "sim/model/policy/dram/table.h"

namespace gpusim::policy {

/// Calls `use` with the class of a policy. The first is what channels have by default, and costs one comparison.
template <class Use>
decltype(auto) with_dram_scheduler(DramScheduler policy, Use&& use) {
  if (policy == DramScheduler::kFrFcfsCap) [[likely]] {
    return use(FrFcfsCap());
  }
  switch (policy) {
#define GPUSIM_X(enumerator, type, name, what) \
  case DramScheduler::enumerator: return use(type());
    GPUSIM_DRAM_SCHEDULERS(GPUSIM_X)
#undef GPUSIM_X
  }
  return use(FrFcfsCap());
}

}  // namespace gpusim::policy
