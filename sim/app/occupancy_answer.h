// SPDX-License-Identifier: MIT
// Everything that `gpusim occupancy` says about one launch on one GPU, and its two forms.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/arch/arch.h"
#include "sim/occupancy/residency.h"
#include "sim/occupancy/what_if.h"
#include "sim/report/report.h"

namespace gpusim::app {

struct OccupancyAnswer {
  std::string arch_name;
  std::string arch_path;
  arch::SmConfig sm;
  occupancy::LaunchShape shape;
  occupancy::Residency residency;
  std::vector<occupancy::Excess> excesses;                                      ///< why nothing fits
  std::array<std::vector<occupancy::Point>, occupancy::kCurves.size()> curves;  ///< in the order of kCurves
  std::vector<occupancy::Proposal> proposals;
  std::optional<std::uint64_t> clusters;  ///< on the whole GPU, if asked for
  std::vector<std::string> notes;         ///< choices of the launch that cost occupancy
  std::vector<arch::Guess> guesses;       ///< values of the architecture that the answer rests on
};

[[nodiscard]] OccupancyAnswer answer_occupancy(const arch::Arch& arch, const occupancy::LaunchShape& shape,
                                               bool with_clusters);

/// At most 100 columns.
[[nodiscard]] std::string occupancy_text(const OccupancyAnswer& answer, const report::TextOptions& options);

/// Schema gpusim.occupancy/1 (docs/occupancy.md).
[[nodiscard]] std::string occupancy_json(const OccupancyAnswer& answer);

}  // namespace gpusim::app
