// SPDX-License-Identifier: MIT
// The recorded intervals of warps as a page holds them: by columns of small differences, which pack to a twentieth of
// what rows do. docs/reports.md describes them; the viewer unpacks them in src/data/watch.ts.
#pragma once

#include <span>
#include <string>

#include "sim/model/stats/watch_interval.h"

namespace gpusim::html {

/// A JSON object: "states", "tracks" and "columns". The intervals of a warp slot stand together, in the order of time.
[[nodiscard]] std::string watch_columns(std::span<const stats::WatchInterval> watch);

}  // namespace gpusim::html
