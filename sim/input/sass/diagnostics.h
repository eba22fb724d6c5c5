// SPDX-License-Identifier: MIT
// What a listing can be read with, and what yet no assembler would have written.
#pragma once

#include <string>
#include <vector>

#include "sim/base/problem.h"
#include "sim/input/listing/listing.h"

namespace gpusim::frontend::sass {

/// At most this many are kept, and one more that says how many there are besides.
inline constexpr std::size_t kMostDiagnostics = 20;

/// Unknown opcodes, each once; operands that are missing, and groups of registers that begin where none can; code
/// without control bits; architectures after those of the opcode table. `file` stands for the listing.
[[nodiscard]] std::vector<Problem> diagnostics_of(const std::vector<ListedFunction>& functions,
                                                  const std::string& file);

}  // namespace gpusim::frontend::sass
