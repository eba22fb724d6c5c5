// SPDX-License-Identifier: MIT
// The code of a compiled kernel as the timing model sees it: instructions with their recorded control bits, their texts
// and lines, and which may follow which.
#pragma once

#include "sim/exec/core/image.h"

namespace gpusim::trace {
struct Kernel;
}  // namespace gpusim::trace

namespace gpusim::exec {

/// Fills in code, texts, edges and where the kernel is declared: its file is that of most of its lines.
void add_code(const Image& image, trace::Kernel& kernel);

}  // namespace gpusim::exec
