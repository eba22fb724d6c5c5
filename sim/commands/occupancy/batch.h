// SPDX-License-Identifier: MIT
// gpusim occupancy --batch: a CSV of launches in, the same rows with their occupancy out.
#pragma once

#include <optional>
#include <string>

namespace gpusim::commands {

/// The answers as CSV; nothing when interrupted. Machines are chosen by the column cc, one a compute capability. Throws
/// InputError with every malformed row (file:line:column) and every column that is missing.
[[nodiscard]] std::optional<std::string> occupancy_batch(const std::string& file);

}  // namespace gpusim::commands
