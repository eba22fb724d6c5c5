// SPDX-License-Identifier: MIT
// The columns of a kernel's power.
#pragma once

#include <vector>

#include "sim/output/report/columns.h"

namespace gpusim::report {

/// Their values are there only where the architecture says what the GPU may draw.
void add_power_columns(std::vector<KernelColumn>& columns);

}  // namespace gpusim::report
