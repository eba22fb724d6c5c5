// SPDX-License-Identifier: MIT
// The keys that a study of steps may vary: those of what-ifs (commands/app/step), and make.NAME of applications that
// are generated.
#pragma once

#include <string_view>

#include "sim/commands/sweep/study/key_book.h"

namespace gpusim::sweep {

/// Options of the generator: "make.batch".
inline constexpr std::string_view kMakePrefix = "make.";
/// An application that is generated: "make:transformer-train".
inline constexpr std::string_view kMadePrefix = "make:";

[[nodiscard]] const KeyBook& step_keys();

}  // namespace gpusim::sweep
