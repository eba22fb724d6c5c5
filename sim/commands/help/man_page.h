// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

#include "sim/commands/help/manual.h"

namespace gpusim::manual {

/// gpusim(1) in the man macros of troff: the program, then every command.
[[nodiscard]] std::string man_page(const Command& program, std::string_view version);

}  // namespace gpusim::manual
