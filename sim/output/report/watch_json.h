// SPDX-License-Identifier: MIT
// The recorded intervals of warps in the JSON of a result: `watch`, a table with one row per interval.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "sim/model/stats/watch_interval.h"
#include "sim/output/report/json_reader.h"

namespace gpusim::report {

/// {"columns": [...], "rows": [[...], ...]}, one line per row.
void append_watch(std::string& out, std::span<const stats::WatchInterval> watch);

/// What append_watch() wrote, of kernels with so many instructions each. Columns may stand in another order, and there
/// may be others. Nothing, with the first thing that is wrong noted, where rows are not those of a recording:
/// names of kernels or instructions that are not there, an interval that ends before it begins, two of a warp slot at
/// once.
[[nodiscard]] std::vector<stats::WatchInterval> read_watch(Reader& reader, const JsonValue& json,
                                                           std::span<const std::size_t> instructions);

}  // namespace gpusim::report
