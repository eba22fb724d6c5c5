// SPDX-License-Identifier: MIT
// What "gpusim roofline" found, as text with a plot and as JSON.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/arch/arch.h"
#include "sim/report/report.h"
#include "sim/roofline/operations.h"
#include "sim/roofline/roofline.h"

namespace gpusim::app {

struct RooflineReport {
  roofline::Roofs roofs;
  std::vector<roofline::Work> points;    ///< those of the operations last
  std::optional<roofline::Shape> shape;  ///< of the operations, when they were asked for
  std::vector<arch::Guess> guesses;      ///< that the roofs rest on
  std::vector<std::string> remarks;
};

[[nodiscard]] std::string roofline_text(const RooflineReport& report, const report::TextOptions& options);

/// Schema gpusim.roofline/1 (docs/roofline.md).
[[nodiscard]] std::string roofline_json(const RooflineReport& report);

}  // namespace gpusim::app
