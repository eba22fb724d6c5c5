// SPDX-License-Identifier: MIT
// What a user gives with --set, not yet applied.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gpusim::arch {

/// "dram.bandwidth=4.8TB/s" as given by --set.
struct Override {
  std::string key;
  std::string value;
};

/// Splits "KEY=VALUE"; throws UsageError when there is no '=', or nothing before it.
[[nodiscard]] Override parse_override(std::string_view text);
[[nodiscard]] std::vector<Override> parse_overrides(std::span<const std::string> texts);

}  // namespace gpusim::arch
