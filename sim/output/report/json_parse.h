// SPDX-License-Identifier: MIT
// A JSON text as a tree of nlohmann's, read by simdjson: results of many kernels are a hundred megabytes.
#pragma once

#include <optional>
#include <string_view>

#include <nlohmann/json.hpp>

namespace gpusim::report {

/// Nothing for a text that is no JSON. A key that is there twice stays so, and is found where it is first.
[[nodiscard]] std::optional<nlohmann::ordered_json> parse_tree(std::string_view text);

}  // namespace gpusim::report
