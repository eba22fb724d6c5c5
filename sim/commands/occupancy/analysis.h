// SPDX-License-Identifier: MIT
// Everything that `gpusim occupancy` says about one launch on one GPU, and its two forms.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/model/arch/arch.h"
#include "sim/model/occupancy/launch_shape.h"
#include "sim/model/occupancy/residency.h"
#include "sim/model/occupancy/what_if.h"
#include "sim/output/text/layout.h"

namespace gpusim::occupancy {

struct Analysis {
  std::string arch_name;
  std::string arch_path;
  std::string arch_maturity;  ///< "stable", or "experimental": compared with no measurement
  arch::SmConfig sm;
  LaunchShape shape;
  Residency residency;
  std::vector<Excess> excesses;                           ///< why nothing fits
  std::array<std::vector<Point>, kCurves.size()> curves;  ///< in the order of kCurves
  std::vector<Proposal> proposals;
  std::optional<std::uint64_t> clusters;  ///< on the whole GPU, if asked for
  std::vector<std::string> notes;         ///< choices of the launch that cost occupancy
  std::vector<arch::Guess> guesses;       ///< values of the architecture that the answer rests on
};

[[nodiscard]] Analysis analyse(const arch::Arch& arch, const LaunchShape& shape, bool with_clusters);

/// At most 100 columns.
[[nodiscard]] std::string to_text(const Analysis& analysis, const layout::Look& look);

/// Schema gpusim.occupancy/1 (docs/occupancy.md).
[[nodiscard]] std::string to_json(const Analysis& analysis);

}  // namespace gpusim::occupancy
