// SPDX-License-Identifier: MIT
// --set: any key, and the what-ifs that change several keys together.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "sim/base/problem.h"

namespace gpusim::arch {

struct Override;
class Sheet;

/// For a key that does not exist: "did you mean 'l2.bytes'?", the keys of its group, or where all are listed.
[[nodiscard]] std::string suggest_key(std::string_view key);

/// Applies all overrides: plain keys first, then what they carry along, except keys that were set themselves.
void apply_overrides(std::span<const Override> overrides, Sheet& sheet, ProblemList& problems);

}  // namespace gpusim::arch
