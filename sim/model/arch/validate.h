// SPDX-License-Identifier: MIT
// What no single key can show: sizes that do not divide, limits that contradict each other.
#pragma once

#include "sim/base/problem.h"
#include "sim/model/arch/arch.h"
#include "sim/model/arch/sheet.h"

namespace gpusim::arch {

/// Adds every contradiction of a bound architecture, at the place of a key to change. A rule is left out when one of
/// its keys is absent or unreadable, which is reported already.
void validate(const Arch& arch, const Sheet& sheet, ProblemList& problems);

}  // namespace gpusim::arch
