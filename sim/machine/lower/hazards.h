// SPDX-License-Identifier: MIT
// What the hardware would not guard and the simulation does not wait for: a listing that does it computes something
// else than its author means, and is timed as if it were right.
#pragma once

#include <string>
#include <vector>

namespace gpusim::trace {
struct Kernel;
}  // namespace gpusim::trace

namespace gpusim::lower {

/// Warnings about a kernel, by line: instructions that read or overwrite registers of a WGMMA operation for
/// whose group no WARPGROUP.DEPBAR has waited (as the warps of the first CTA come by), a DEPBAR on a counter that
/// nothing increments, and barriers beyond those that the kernel says it has. The first few lines of each, and how many
/// more there are.
[[nodiscard]] std::vector<std::string> hazards_of(const trace::Kernel& kernel);

}  // namespace gpusim::lower
