// SPDX-License-Identifier: MIT
// What "gpusim roofline" found, as text with a plot and as JSON.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/commands/roofline/operations.h"
#include "sim/commands/roofline/roofline.h"
#include "sim/model/arch/arch.h"
#include "sim/output/text/layout.h"

namespace gpusim::roofline {

struct Report {
  Roofs roofs;
  std::vector<Work> points;          ///< those of the operations last
  std::optional<Shape> shape;        ///< sizes of the operations, when they were asked for
  std::vector<arch::Guess> guesses;  ///< that the roofs rest on
  std::vector<std::string> remarks;
};

[[nodiscard]] std::string to_text(const Report& report, const layout::Look& look, bool details);

/// Schema gpusim.roofline/1 (docs/roofline.md).
[[nodiscard]] std::string to_json(const Report& report);

}  // namespace gpusim::roofline
