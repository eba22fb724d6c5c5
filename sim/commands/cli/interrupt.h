// SPDX-License-Identifier: MIT
// Ctrl-C, and what ends programs from elsewhere: the first asks the run to stop and report what it has, the second ends
// the program as usual.
#pragma once

namespace gpusim::cli {

/// From here on a write beyond the limit on the size of a file (ulimit -f) fails like any other write, instead of
/// ending the program without a word.
void let_large_writes_fail();

/// From here on the first SIGINT, SIGTERM or SIGHUP is noted instead of obeyed; a SIGHUP that is ignored stays so.
void catch_interrupt();
[[nodiscard]] bool interrupted();
/// What the program then ends with: 128 and the number of the signal, as shells count.
[[nodiscard]] int interrupt_code();

/// Leaves whatever is being done: for commands that have nothing to show before they are done. run_program() catches
/// it.
struct Interrupted {};
void throw_if_interrupted();

}  // namespace gpusim::cli
