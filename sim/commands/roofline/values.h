// SPDX-License-Identifier: MIT
// Work and bytes as people write them, strictly: every function says what it expected instead.
#pragma once

#include <string>
#include <string_view>

#include "sim/commands/roofline/operations.h"

namespace gpusim::commands {

/// "--head-dim" for the field "head_dim".
[[nodiscard]] std::string option_name(const roofline::ShapeField& field);

/// FLOPs, or other operations: "2.2 TFLOP", "1.5e12", above 0. Throws UsageError that names the option.
[[nodiscard]] double parse_flops(std::string_view option, std::string_view text);

/// Bytes: "64 MiB", "412 MB", "4e8", above 0. Throws UsageError that names the option.
[[nodiscard]] double parse_bytes(std::string_view option, std::string_view text);

}  // namespace gpusim::commands
