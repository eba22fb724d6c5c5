// SPDX-License-Identifier: MIT
// The head of a kernel: launch sizes, resources, and the names of places that its code may use.
#pragma once

#include <cstdint>

#include "sim/input/text/environment.h"

namespace gpusim::trace {
struct Kernel;
}  // namespace gpusim::trace

namespace gpusim::frontend {

/// Reads launch sizes and resources into the kernel. Reports sizes that are missing, or beyond what CUDA allows.
void read_head(const KernelSyntax& syntax, Environment& names, trace::Kernel& kernel);

/// Bytes that the regions in this space, shared or local, have between them; no limit while lines of the head are
/// missing.
[[nodiscard]] std::uint64_t bytes_of_space(isa::MemSpace space, const KernelSyntax& syntax,
                                           const trace::Kernel& kernel);

/// Gives the places of a thread their names, such as "lane" and "ctaid.x". Declarations cannot use them, code can.
void bind_places(const trace::Kernel& kernel, Environment& names);

}  // namespace gpusim::frontend
