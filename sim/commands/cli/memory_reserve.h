// SPDX-License-Identifier: MIT
// What keeps the end orderly when there is no memory left.
#pragma once

namespace gpusim::cli {

inline constexpr const char* kOutOfMemory =
    "out of memory: the inputs are too large for this machine (fewer --jobs or --threads may need less)";

/// From now on the first allocation that fails gives a reserve back before it throws std::bad_alloc, so that
/// destructors which allocate, as those of nested JSON values do, find some. Where one of them is the first to fail,
/// which ends the process, it ends with the message and the exit code of other such ends, and without temporary files.
void prepare_for_lack_of_memory();

}  // namespace gpusim::cli
