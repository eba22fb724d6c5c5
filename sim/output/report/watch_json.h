// SPDX-License-Identifier: MIT
// The recorded intervals of warps in the JSON of a result: `watch`, a table with a row an interval.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "sim/model/stats/watch_interval.h"

namespace gpusim::report {

/// {"columns": [...], "rows": [[...], ...]}, a line a row.
void append_watch(std::string& out, std::span<const stats::WatchInterval> watch);

/// Takes a key and what is wrong there.
using WrongKey = std::function<void(const std::string& key, const std::string& what)>;

/// What append_watch() wrote, of kernels with so many instructions each. Columns may stand in another order, and there
/// may be others. Nothing, and the first thing that is wrong goes to `wrong`, where rows are not those of a recording:
/// names of kernels or instructions that are not there, an interval that ends before it begins, two of a warp slot at
/// once.
[[nodiscard]] std::vector<stats::WatchInterval> read_watch(const nlohmann::ordered_json& json,
                                                           std::span<const std::size_t> instructions,
                                                           const WrongKey& wrong);

}  // namespace gpusim::report
