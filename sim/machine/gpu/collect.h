// SPDX-License-Identifier: MIT
// From the machine's counters to a Result.
#pragma once

#include <vector>

#include "sim/base/types.h"
#include "sim/model/stats/result.h"

namespace gpusim::arch {
struct Arch;
}
namespace gpusim::lower {
struct KernelImage;
}
namespace gpusim::sm {
struct PerWorker;
}
namespace gpusim::trace {
struct Kernel;
struct Trace;
}  // namespace gpusim::trace

namespace gpusim::gpu {

class Machine;
class MemorySide;

/// Everything about a run that no kernel changes.
[[nodiscard]] stats::Result describe_run(const arch::Arch& arch, const trace::Trace& trace);

/// Everything about a kernel that is known before it runs.
[[nodiscard]] stats::KernelResult describe_kernel(const arch::Arch& arch, const trace::Kernel& kernel,
                                                  const stats::Occupancy& occupancy);

/// Adds what the machine counted. `stopped_at`: nothing happened at that cycle or later, of a run that was stopped; 0
/// for one that went to its end.
void collect(const arch::Arch& arch, const Machine& machine, const MemorySide& memory, const lower::KernelImage& image,
             const std::vector<sm::PerWorker>& workers, Cycle stopped_at, stats::KernelResult& result);

}  // namespace gpusim::gpu
