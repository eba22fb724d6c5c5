// SPDX-License-Identifier: MIT
// "window table persisting for 60 else streaming": what L2 is to keep, in the head of a kernel.
#pragma once

#include <optional>

#include "sim/input/text/syntax.h"

namespace gpusim::trace {
struct L2Window;
}  // namespace gpusim::trace

namespace gpusim::frontend {

class Buffers;
class Environment;
class Scanner;

/// Reads what stands behind "window". Throws LineError.
[[nodiscard]] WindowSyntax parse_window(Scanner& in);

/// The window over one of the buffers; nothing (reported) when that buffer is not in global memory.
[[nodiscard]] std::optional<trace::L2Window> read_window(const WindowSyntax& syntax, const Buffers& buffers,
                                                         Environment& names);

}  // namespace gpusim::frontend
