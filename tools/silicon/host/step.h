// SPDX-License-Identifier: MIT
// The step of a chain by the instructions it becomes.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gpusim::silicon {

/// "ISETP+SEL" is two instructions, "LEA|IMAD" one of two possible ones.
[[nodiscard]] std::vector<std::string> instructions_of(std::string_view step);

}  // namespace gpusim::silicon
