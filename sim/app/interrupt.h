// SPDX-License-Identifier: MIT
// Ctrl-C: the first asks the run to stop and report what it has, the second ends the program as usual.
#pragma once

namespace gpusim::app {

/// From here on the first SIGINT is noted instead of obeyed.
void catch_interrupt();
[[nodiscard]] bool interrupted();

/// Leaves whatever is being done: for commands that have nothing to show before they are done. run_program() catches
/// it.
struct Interrupted {};
void throw_if_interrupted();

}  // namespace gpusim::app
