// SPDX-License-Identifier: MIT
// The kernels of data/ as listings with encodings, which are read again.
#pragma once

#include <string>

#include "sim/code/cubin/module.h"

#include "tests/exec/kernels/problem.h"

namespace gpusim::exec {

/// What `gpusim disasm --hex` prints of a module.
[[nodiscard]] std::string listing_text(const cubin::Module& module);

/// The module of its own listing. The parameters of the kernel are laid out by the arguments of the problem alone.
[[nodiscard]] cubin::Module relisted(const cubin::Module& module, const std::string& kernel, const Problem& problem);

}  // namespace gpusim::exec
