// SPDX-License-Identifier: MIT
// Why a result is faster or slower than another: numbers that have to do with time, and changed.
#pragma once

#include <vector>

#include "sim/output/compare/comparison.h"
#include "sim/output/view/view.h"

namespace gpusim::compare {

/// Of two views with one kernel each, the sums of two results. Most weight first.
[[nodiscard]] std::vector<Cause> causes_of(const report::View& first, const report::View& second);

}  // namespace gpusim::compare
