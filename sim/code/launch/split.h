// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>
#include <vector>

namespace gpusim::launch {

/// The parts between commas that stand in no brackets, without blanks around them; none of an empty text.
[[nodiscard]] std::vector<std::string_view> split_outside_brackets(std::string_view text);

}  // namespace gpusim::launch
