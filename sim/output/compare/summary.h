// SPDX-License-Identifier: MIT
// A comparison in a few sentences: how much faster, what warps wait for less or more, where, and what lies behind it.
#pragma once

#include <string>
#include <vector>

namespace gpusim::compare {

struct Change;
struct Run;

/// `change` with all but its summary.
[[nodiscard]] std::vector<std::string> summary_of(const Run& first, const Run& second, const Change& change);

}  // namespace gpusim::compare
