// SPDX-License-Identifier: MIT
// Cases that are calculated, not simulated: collectives of a system, memory of a step, steps of applications.
#pragma once

#include "sim/commands/validate/case.h"

namespace gpusim::commands {

/// Microseconds of a collective (keys collective, system, gpus, bytes, launch, algorithm, library), or GiB of memory
/// where there is a key `memory` (memory_estimate.h). Throws InputError.
[[nodiscard]] double estimate_of(const validate::Case& of);

}  // namespace gpusim::commands
