// SPDX-License-Identifier: MIT
// The page without its data: what tools/viewer builds.
#pragma once

#include <string_view>

namespace gpusim::html {

/// One HTML file with everything in it, and kDataMark where the data goes.
[[nodiscard]] std::string_view viewer();

inline constexpr std::string_view kDataMark =
    "@GPUSIM_"
    "DATA@";

}  // namespace gpusim::html
