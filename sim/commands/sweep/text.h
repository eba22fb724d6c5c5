// SPDX-License-Identifier: MIT
// What `gpusim sweep` says of its points: before, while and after they run.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "sim/output/text/layout.h"

namespace gpusim::sweep {
struct Candidate;
struct PointRow;
struct Study;
struct StudyInfo;
struct Tally;
}  // namespace gpusim::sweep

namespace gpusim::commands {

/// "sm.count=160, param.seq=8192"; with the architecture and the trace in front where several are swept.
[[nodiscard]] std::string point_name(const sweep::PointRow& row, const sweep::Study& study);

/// What follows from the varied values, a line for each combination: "sm.count=160: noc.gpcs=9". At most `most` lines.
[[nodiscard]] std::string derived_text(const std::vector<sweep::Candidate>& points, const sweep::Study& study,
                                       std::size_t most);

/// Every point with what follows from its values; the state is "to run", "stored", "failed before" or "skipped".
struct PlannedPoint {
  const sweep::PointRow* row = nullptr;
  std::string state;
};
[[nodiscard]] std::string plan_text(const std::vector<PlannedPoint>& points, const sweep::Study& study,
                                    const layout::Look& look);

/// One line per point that ended, at most `most` of them, and how many more there are.
[[nodiscard]] std::string points_text(const std::vector<sweep::PointRow>& rows, const sweep::Study& study,
                                      const layout::Look& look, std::size_t most);

/// The studies of a database, a line each, with their numbers.
[[nodiscard]] std::string studies_text(const std::vector<sweep::StudyInfo>& studies, const layout::Look& look);

/// One line: a bar, points ended, failed and running, points a second, time left.
[[nodiscard]] std::string sweep_progress_text(const sweep::Tally& tally, double seconds);

}  // namespace gpusim::commands
