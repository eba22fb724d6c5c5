// SPDX-License-Identifier: MIT
// The cost of each point, by a formula over what was varied, what followed, the metrics and the architecture.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "sim/sweep/answer/group.h"

namespace gpusim::sweep {

struct Costs {
  std::vector<std::optional<double>> by_row;  ///< nothing for unfinished points and those that lack a key
  std::vector<std::pair<std::string, std::string>> without;  ///< architecture and the first key it lacks, each once
};

/// Throws InputError for what is no formula, for a key that no finished point has, and for one that is no number.
[[nodiscard]] Costs costs_of(std::span<const PointRow> rows, const std::string& formula, const KeySource& source);

}  // namespace gpusim::sweep
