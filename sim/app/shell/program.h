// SPDX-License-Identifier: MIT
// The program from arguments to exit code.
#pragma once

#include "sim/app/shell/command_line.h"

namespace gpusim::app {

/// Thrown where only the whole program can go on. Nothing has been written or said until then.
struct NeedsWholeProgram {};

/// What run_program() then returns; no command does.
inline constexpr int kNeedsWholeProgram = 64;

/// Runs the command; never throws. Returns the exit code.
[[nodiscard]] int run_program(int argc, const char* const* argv, const Program& program) noexcept;

}  // namespace gpusim::app
