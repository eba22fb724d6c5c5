// SPDX-License-Identifier: MIT
// How columns hold what is not a number: results compressed with zstd, lists of names and values as JSON.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gpusim::sweep {

[[nodiscard]] std::string compress(std::string_view text);
/// Nothing when the bytes are not what compress() gave.
[[nodiscard]] std::optional<std::string> decompress(std::string_view bytes);

using Pairs = std::vector<std::pair<std::string, std::string>>;
/// {"sm.count":"160","dram.bandwidth":"4190 GB/s"}; order is kept. What is not UTF-8 becomes U+FFFD.
[[nodiscard]] std::string to_json(const Pairs& pairs);
[[nodiscard]] std::string to_json(const std::map<std::string, double>& metrics);
/// Nothing when the text is not what to_json() gave.
[[nodiscard]] std::optional<Pairs> pairs_of(std::string_view json);
[[nodiscard]] std::optional<std::map<std::string, double>> metrics_of(std::string_view json);

}  // namespace gpusim::sweep
