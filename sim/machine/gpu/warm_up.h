// SPDX-License-Identifier: MIT
// The untimed pass behind --cache warm: every address of the kernel goes through the tags of L2 once, as if the kernel
// had just run.
#pragma once

#include <cstdint>
#include <functional>

#include "sim/base/types.h"
#include "sim/model/trace/step.h"

namespace gpusim::arch {
struct Arch;
}  // namespace gpusim::arch
namespace gpusim::trace {
class DeviceMemory;
struct Kernel;
}  // namespace gpusim::trace

namespace gpusim::gpu {

class MemorySide;

/// When to give up: a warp issues at most one instruction per cycle, so one that walks further than a kernel may take
/// cycles would not finish in the timed run either.
struct WarmUpLimits {
  std::function<bool(double share)> keep_going;  ///< told now and then how much is done; may be empty
  std::uint64_t steps_of_a_warp = kNever;
  std::uint64_t most_walked = trace::kMostWalked;  ///< by a warp in loops; more throws CannotFinishError
};
/// CTAs [first, end) of the grid; `per_sm` of them are resident at a time.
struct WarmUpCtas {
  std::uint64_t first = 0;
  std::uint64_t end = 0;
  std::uint32_t per_sm = 1;
};
enum class WarmUpEnd : std::uint8_t { kDone, kStopped, kLimit };

/// As many CTAs as fit the machine are walked side by side, a memory instruction of each warp in
/// turn, so that the cache ends up holding what the last ones accessed. The number of threads changes nothing else than
/// the time it takes.
WarmUpEnd warm_up(const arch::Arch& arch, const trace::Kernel& kernel, const MemorySide& memory, const WarmUpCtas& ctas,
                  const WarmUpLimits& limits, unsigned threads);

/// The same of a kernel that is executed, CTA after CTA. Device memory holds afterwards what it held before.
WarmUpEnd warm_up_by_executing(const arch::Arch& arch, const trace::Kernel& kernel, trace::DeviceMemory& device_memory,
                               const MemorySide& memory, const WarmUpCtas& ctas, const WarmUpLimits& limits);

}  // namespace gpusim::gpu
