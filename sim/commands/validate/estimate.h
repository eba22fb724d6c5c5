// SPDX-License-Identifier: MIT
// Cases that are calculated from a system: collectives, and steps of applications.
#pragma once

#include "sim/commands/validate/case.h"

namespace gpusim::commands {

/// Microseconds of a collective: keys collective, system, gpus, bytes, launch, algorithm. Throws InputError.
[[nodiscard]] double estimate_of(const validate::Case& of);

}  // namespace gpusim::commands
