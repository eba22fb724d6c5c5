// SPDX-License-Identifier: MIT
// Runs an application on a system: a discrete-event simulation of its threads, streams, kernels, copies and
// collectives.
#pragma once

#include <functional>
#include <vector>

#include "sim/system/run/binding.h"
#include "sim/system/run/device_side.h"
#include "sim/system/run/timeline.h"

namespace gpusim::run {

/// `gpus` has each GPU in use (Binding::gpus()), `costs` a row for each of their kinds. `keep_going` is asked now and
/// then; when it says no, the timeline ends there. Throws InputError for what contradicts itself only while it runs
/// (ranks that disagree, a copy without a way), CannotFinishError when nothing can go on, with the threads that wait
/// for each other, and when there are too many calls.
[[nodiscard]] Timeline run(const Binding& binding, const std::vector<GpuFacts>& gpus, const Costs& costs,
                           const std::function<bool()>& keep_going = {});

}  // namespace gpusim::run
