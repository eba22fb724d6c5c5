// SPDX-License-Identifier: MIT
// What-if: an access to global memory whose lanes lie as densely as their bytes can.
#pragma once

#include "sim/machine/sm/memory/coalescer.h"

namespace gpusim::sm {

/// Makes of what the coalescer found the fewest lines and sectors that hold the lanes' bytes. They are among the lines
/// that the lanes touch; which of them depends on the first lane's place in its line, so that accesses that divide
/// lines among themselves take all of those lines together, and the kernel's footprint stays what it is.
void coalesce_ideally(const trace::LaneAddresses& addresses, LaneMask mask, AccessWidth width, const L1DataStage& stage,
                      CoalescedAccess& access);

}  // namespace gpusim::sm
