// SPDX-License-Identifier: MIT
// A system with fewer or more GPUs than its file has.
#pragma once

#include <cstdint>
#include <string_view>

#include "sim/system/config/system.h"

namespace gpusim::system {

/// The key of --set that is not one of files.
inline constexpr std::string_view kGpuCountKey = "gpus.count";
inline constexpr std::uint64_t kMostGpus = 256;

/// Leaves the first GPUs, or adds some: each is linked as one of the file's, in turn. Throws InputError, which names
/// --set, for a system whose GPUs are linked with each other, to which none can be added.
void set_gpu_count(System& system, std::uint64_t count);

}  // namespace gpusim::system
