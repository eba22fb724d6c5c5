// SPDX-License-Identifier: MIT
// A comparison in a few sentences: how much faster, what warps wait for less or more, where, and what lies behind it.
#pragma once

#include <string>
#include <vector>

#include "sim/output/compare/comparison.h"

namespace gpusim::compare {

/// `change` with all but its summary.
[[nodiscard]] std::vector<std::string> summary_of(const Run& first, const Run& second, const Change& change);

}  // namespace gpusim::compare
