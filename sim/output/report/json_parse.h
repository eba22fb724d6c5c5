// SPDX-License-Identifier: MIT
// A JSON text as a tree, faster than the library's own way to it.
#pragma once

#include <optional>
#include <string_view>

#include <nlohmann/json.hpp>

namespace gpusim::report {

/// Nothing for a text that is no JSON. The library looks each key up among those before it, so that none is there
/// twice; here a key that is there twice stays so, and is found where it is first.
[[nodiscard]] std::optional<nlohmann::ordered_json> parse_tree(std::string_view text);

}  // namespace gpusim::report
