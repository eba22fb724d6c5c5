// SPDX-License-Identifier: MIT
// What a kernel asks for, as text.
#pragma once

#include <cstddef>
#include <string>

#include "sim/code/cubin/images.h"

namespace gpusim::cubin {

/// Loads from and stores to local memory in the code: spilled registers, and arrays that have no register.
[[nodiscard]] std::size_t local_accesses(const Module& module, const Function& function);

/// "8 8 4": bytes of each parameter; "20 in all" of a listing that says no more, or "".
[[nodiscard]] std::string parameters_text(const Function& function);

/// "256 threads", "128x2x1 threads", and what else limits a launch; "" where nothing does.
[[nodiscard]] std::string launch_text(const Function& function, const TritonLaunch* triton);

}  // namespace gpusim::cubin
