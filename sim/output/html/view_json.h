// SPDX-License-Identifier: MIT
// What a page shows besides the result's JSON: the derived rows of the view, and what warp states mean.
#pragma once

#include <string>

#include "sim/output/view/view.h"

namespace gpusim::html {

/// A JSON object: "states", "kernel_names" where launches share names, and "kernels" with verdict, units, links,
/// occupancy and instructions of each.
[[nodiscard]] std::string view_json(const report::View& view);

}  // namespace gpusim::html
