// SPDX-License-Identifier: MIT
#pragma once

#include "sim/stats/result.h"
#include "sim/sweep/store/point.h"

namespace gpusim::sweep {

/// The numbers of a finished run: status, cycles, time, bound and metrics of `row`.
void summarize(const stats::Result& result, PointRow& row);

}  // namespace gpusim::sweep
