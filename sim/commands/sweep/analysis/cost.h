// SPDX-License-Identifier: MIT
// The cost of each point, by a formula over what was varied, what followed, the metrics and the architecture.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sim/commands/sweep/analysis/group.h"

namespace gpusim::sweep {

/// Finished points of an architecture that have no cost for the same reason.
struct WithoutCost {
  std::string arch;
  std::string key;  ///< the first that the architecture lacks; empty: the formula's value is not finite
  std::vector<std::size_t> rows;
};

struct Costs {
  std::vector<std::optional<double>> by_row;  ///< nothing for unfinished points and those without a cost
  std::vector<WithoutCost> without;           ///< in the order in which they occur
};

/// Throws InputError for what is not a formula, for a key that no finished point has, and for one that is not a number.
[[nodiscard]] Costs costs_of(std::span<const PointRow> rows, const std::string& formula, const KeySource& source);

}  // namespace gpusim::sweep
