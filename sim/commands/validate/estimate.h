// SPDX-License-Identifier: MIT
// Cases that are calculated, not simulated: collectives of a system.
#pragma once

#include "sim/commands/validate/case.h"

namespace gpusim::commands {

/// Microseconds of a collective: keys collective, system, gpus, bytes, launch, algorithm. Throws InputError.
[[nodiscard]] double estimate_of(const validate::Case& of);

}  // namespace gpusim::commands
