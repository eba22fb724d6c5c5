// SPDX-License-Identifier: MIT
// One instruction of a text trace: control bits, guard, opcode, operands and sources.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "sim/input/text/scanner.h"

namespace gpusim::frontend {

/// Words that begin a statement of the code which is not an instruction.
inline constexpr std::array<std::string_view, 7> kCodeWords{"loop", "unroll", "if", "static", "else", "end", "let"};

/// Reads the whole line into the statement. Throws LineError.
void parse_instruction(Scanner& in, Statement& statement);
/// "[B--2---:R0:W3:Y:S04]", or nothing. Throws LineError.
[[nodiscard]] std::string parse_control_bits(Scanner& in);
/// "!P0", as the statement's guard.
void parse_predicate(Scanner& in, Statement& statement);

}  // namespace gpusim::frontend
