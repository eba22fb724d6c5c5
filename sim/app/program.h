// SPDX-License-Identifier: MIT
// The program from arguments to exit code.
#pragma once

namespace gpusim::app {

/// Runs the command; never throws.
[[nodiscard]] int run_program(int argc, const char* const* argv) noexcept;

}  // namespace gpusim::app
