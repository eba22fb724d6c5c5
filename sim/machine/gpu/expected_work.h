// SPDX-License-Identifier: MIT
// How much work the kernels of a run are, before any of them runs: for the progress bar alone.
#pragma once

#include <cstdint>

namespace gpusim::trace {
struct Kernel;
}  // namespace gpusim::trace

namespace gpusim::gpu {

/// Warp instructions of CTAs [first, end) of a kernel: those of a few CTAs, walked for at most `most_steps`, times how
/// many there are. Of a kernel that cannot be walked its static instructions count once a warp.
[[nodiscard]] double expected_instructions(const trace::Kernel& kernel, std::uint64_t first, std::uint64_t end,
                                           std::uint64_t most_steps);

}  // namespace gpusim::gpu
