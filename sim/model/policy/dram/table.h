// SPDX-License-Identifier: MIT
// The one table of DRAM request schedulers. A new one is a file beside this one, a row here and its include in
// classes.h: the schema of architecture files, its documentation, the channels and the tests take it from here.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace gpusim::policy {

// X(enumerator, class, name, key of a configuration that it takes ("" if none), what it does). The first is what
// channels have by default. A class has a constructor from DramSchedulerOptions. Of the banks that it allows, the one
// whose request is oldest goes:
//   may_burst(queue)        banks whose oldest hit may go
//   may_prepare(queue)      banks whose oldest waiting request may have its row opened, and others closed for it
//   must_close(overtakes)   whether a row that was so often preferred to an older request takes no more bursts
//   kServesOldestOnly       whether a request that has gone may allow another bank a row command
#define GPUSIM_DRAM_SCHEDULERS(X)                                                  \
  X(kFrFcfsCap, FrFcfsCap, "fr-fcfs-cap", "dram.scheduler_cap",                    \
    "fr-fcfs-cap: row hits first, but at most dram.scheduler_cap bursts of a row " \
    "before an older request")                                                     \
  X(kFrFcfs, FrFcfs, "fr-fcfs", "", "fr-fcfs: row hits first, however many")       \
  X(kFcfs, Fcfs, "fcfs", "", "fcfs: reads in order of arrival, and so writes")

enum class DramScheduler : std::uint8_t {
#define GPUSIM_X(enumerator, type, name, option, what) enumerator,
  GPUSIM_DRAM_SCHEDULERS(GPUSIM_X)
#undef GPUSIM_X
};

struct DramSchedulerInfo {
  DramScheduler policy;
  std::string_view name;
  std::string_view option;  ///< key of a configuration that no other scheduler takes; empty: none
  std::string_view what;
};

/// By DramScheduler.
inline constexpr std::array kDramSchedulers{
#define GPUSIM_X(enumerator, type, name, option, what) DramSchedulerInfo{DramScheduler::enumerator, name, option, what},
    GPUSIM_DRAM_SCHEDULERS(GPUSIM_X)
#undef GPUSIM_X
};

/// What all of them do, for the documentation of the key that chooses one.
#define GPUSIM_X(enumerator, type, name, option, what) "; " what
inline constexpr std::string_view kDramSchedulersMeaning =
    std::string_view(GPUSIM_DRAM_SCHEDULERS(GPUSIM_X)).substr(std::string_view("; ").size());
#undef GPUSIM_X

}  // namespace gpusim::policy
