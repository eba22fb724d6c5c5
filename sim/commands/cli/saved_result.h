// SPDX-License-Identifier: MIT
// A result that --json wrote.
#pragma once

#include <string>

namespace gpusim::stats {
struct Result;
}  // namespace gpusim::stats

namespace gpusim::cli {

/// Throws InputError when there is no such file, or it holds no result; UsageError without a name.
[[nodiscard]] stats::Result load_result(const std::string& file);

}  // namespace gpusim::cli
