// SPDX-License-Identifier: MIT
// The answers of a database of points, for the commands that print them.
#pragma once

#include <string>
#include <vector>

#include "sim/app/command_line.h"
#include "sim/app/commands.h"
#include "sim/sweep/answer/answer.h"

namespace gpusim::app {

/// The report on some points in the format asked for, and the plots where they were asked for. `set`: what the study
/// fixed of its architectures, as KEY=VALUE.
[[nodiscard]] std::string show_points(const std::vector<sweep::PointRow>& rows, const SweepShowOptions& options,
                                      const std::vector<std::string>& set, const Common& common);

/// Throws what show_points() would say against a cost, of points that have yet to run.
void check_cost(std::vector<sweep::PointRow> rows, const std::string& cost, const std::vector<std::string>& set);

}  // namespace gpusim::app
