// SPDX-License-Identifier: MIT
// Declarations of a text trace behind their first word: buffers, mbarriers and tensor maps.
#pragma once

#include "sim/input/text/scanner.h"

namespace gpusim::frontend {

/// Each reads what stands behind the word of its kind. They throw LineError.
[[nodiscard]] BufferSyntax parse_buffer(Scanner& in, isa::MemSpace space);
[[nodiscard]] MbarrierSyntax parse_mbarrier(Scanner& in);
[[nodiscard]] TensorMapSyntax parse_tensor_map(Scanner& in);

}  // namespace gpusim::frontend
