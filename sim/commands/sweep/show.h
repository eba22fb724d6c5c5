// SPDX-License-Identifier: MIT
// The answers of a database of points, for the commands that print them.
#pragma once

#include <string>
#include <vector>

namespace gpusim {
class OutputFile;
}  // namespace gpusim
namespace gpusim::cli {
struct Common;
}  // namespace gpusim::cli
namespace gpusim::sweep {
struct PointRow;
struct Study;
}  // namespace gpusim::sweep

namespace gpusim::commands {

class Prices;
struct ShownPoints;
struct SweepShowOptions;

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
