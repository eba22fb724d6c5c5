// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

namespace gpusim::sweep {

/// The text of an error as one line of at most 400 characters: a table and a list of failures have room for that.
[[nodiscard]] std::string one_line(std::string_view text);

}  // namespace gpusim::sweep
