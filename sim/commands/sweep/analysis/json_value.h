// SPDX-License-Identifier: MIT
// What the writers of JSON about a sweep share.
#pragma once

#include <optional>

#include <nlohmann/json.hpp>

namespace gpusim::sweep {

using Json = nlohmann::ordered_json;

/// null stands for a value that is not there.
template <class T>
[[nodiscard]] Json or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}

}  // namespace gpusim::sweep
