// SPDX-License-Identifier: MIT
// What no single key can show: sizes that do not divide, limits that contradict each other.
#pragma once

#include "sim/arch/arch.h"
#include "sim/arch/sheet.h"
#include "sim/base/problem.h"

namespace gpusim::arch {

/// Adds every contradiction of a bound architecture, at the place of the key to change.
void validate(const Arch& arch, const Sheet& sheet, ProblemList& problems);

}  // namespace gpusim::arch
