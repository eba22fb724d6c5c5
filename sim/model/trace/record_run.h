// SPDX-License-Identifier: MIT
// What an untimed run of a kernel does, handed on warp after warp though warps take turns in it: how a kernel that is
// executed becomes a recording.
#pragma once

#include <cstdint>
#include <functional>

#include "sim/model/trace/kernel.h"

namespace gpusim::trace {

class DeviceMemory;
class Executable;
class WarpSink;

/// Called now and then with the warp instructions that have been executed so far.
using Tell = std::function<void(std::uint64_t instructions)>;

/// A kernel whose generic accesses have the space that an untimed run finds them in, for a recording has none of its
/// own. Throws InputError for one that leads to several, for a store that signals an mbarrier, and as Executable::run()
/// does. `memory` stays as it is.
[[nodiscard]] Kernel with_known_spaces(const Executable& executable, const Kernel& kernel, DeviceMemory& memory,
                                       std::uint64_t most_walked, const Tell& tell = {});

/// All of the grid, CTAs in order; of generic accesses the kernel knows the space. Holds what the CTAs in flight have
/// done so far. `memory` changes as the kernel says. A warp may execute at most `most_walked` instructions; of the
/// polls of each wait for an mbarrier one is recorded. `tell` is called now and then with the warp instructions
/// executed so far. Throws as Executable::run() does, what `tell` throws, and InputError for what the asynchronous
/// engines of the machine cannot be told.
void record_run(const Executable& executable, const Kernel& kernel, DeviceMemory& memory, std::uint64_t most_walked,
                WarpSink& sink, const Tell& tell = {});

}  // namespace gpusim::trace
