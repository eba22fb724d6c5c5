// SPDX-License-Identifier: MIT
// The untimed pass behind --cache warm: every address of the kernel goes through the tags of L2 once, as if the kernel
// had just run.
#pragma once

#include "sim/arch/arch.h"
#include "sim/gpu/machine.h"
#include "sim/trace/kernel.h"

namespace gpusim::gpu {

/// CTAs [first, end). As many CTAs as fit the machine are walked side by side, a memory instruction of each warp in
/// turn, so that the cache ends up holding what the last ones touched. Returns false when `keep_going` (may be empty)
/// did.
bool warm_up(const arch::Arch& arch, const trace::Kernel& kernel, MemorySide& memory, const MachineJob& job,
             const std::function<bool()>& keep_going);

}  // namespace gpusim::gpu
