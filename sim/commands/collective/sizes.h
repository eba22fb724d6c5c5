// SPDX-License-Identifier: MIT
// Sizes of a table as people write them.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace gpusim::commands {

/// "1MiB" is one size, "1KiB..8GiB" the first and each double of it up to the last. Throws UsageError that names the
/// option.
[[nodiscard]] std::vector<std::uint64_t> parse_sizes(std::string_view option, std::string_view text);

}  // namespace gpusim::commands
