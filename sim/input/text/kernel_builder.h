// SPDX-License-Identifier: MIT
// One kernel: its head evaluated, its code expanded into instructions and a drafted program, and both compiled.
#pragma once

#include <optional>

#include "sim/input/text/environment.h"
#include "sim/input/text/file_state.h"
#include "sim/model/trace/kernel.h"

namespace gpusim::frontend {

/// The kernel; nothing when there were problems, which are reported.
[[nodiscard]] std::optional<trace::Kernel> build_kernel(const Syntax& syntax, const KernelSyntax& source,
                                                        Reporter& reporter, FileState& file);

}  // namespace gpusim::frontend
