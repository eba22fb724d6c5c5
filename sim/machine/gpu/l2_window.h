// SPDX-License-Identifier: MIT
// A kernel's access policy window on a given GPU.
#pragma once

#include <string>

#include "sim/base/problem.h"

namespace gpusim::arch {
struct Arch;
}  // namespace gpusim::arch
namespace gpusim::mem::l2 {
struct AccessWindow;
}  // namespace gpusim::mem::l2
namespace gpusim::trace {
struct Kernel;
}  // namespace gpusim::trace

namespace gpusim::gpu {

/// Adds a problem if the GPU cannot do what the kernel's access policy window asks for.
void check_window(const arch::Arch& arch, const trace::Kernel& kernel, ProblemList& problems);

/// What the slices are to do; nothing for a kernel without a window.
[[nodiscard]] mem::l2::AccessWindow access_window(const arch::Arch& arch, const trace::Kernel& kernel);

/// The same in words, for reports: "60 % of the lines of 'table' persist, in 30 MiB set aside, the others stream".
[[nodiscard]] std::string window_text(const arch::Arch& arch, const trace::Kernel& kernel);

}  // namespace gpusim::gpu
