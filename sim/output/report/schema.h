// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

namespace gpusim::report {

/// Name and major version of the JSON; within a major version keys are only added.
inline constexpr std::string_view kSchema = "gpusim.result/1";

/// The version of the program, "0.1.0".
[[nodiscard]] std::string_view version();

}  // namespace gpusim::report
