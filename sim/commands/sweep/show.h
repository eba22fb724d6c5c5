// SPDX-License-Identifier: MIT
// The answers of a database of points, for the commands that print them.
#pragma once

#include <string>
#include <vector>

#include "sim/base/output_file.h"
#include "sim/commands/sweep/command.h"
#include "sim/commands/sweep/prices.h"
#include "sim/commands/sweep/shown_points.h"
#include "sim/commands/sweep/store/point.h"

namespace gpusim::commands {

/// The report on some points in the format asked for, and the plots where they were asked for. `page`: where the page
/// goes; null where none was asked for.
[[nodiscard]] std::string show_points(const ShownPoints& points, const SweepShowOptions& options,
                                      const cli::Common& common, OutputFile* page);

/// The point that is best by the metric asked for. Throws InputError when none has a result, or they are of several
/// traces.
[[nodiscard]] const sweep::PointRow& best_point(const ShownPoints& points, const SweepShowOptions& options);

/// Throws what show_points() would say against a cost, of points of the study that have yet to run.
void check_cost(std::vector<sweep::PointRow> rows, const std::string& cost, const Prices& prices,
                const sweep::Study& study);

}  // namespace gpusim::commands
