// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "sim/model/trace/async.h"

namespace gpusim::trace {

struct Kernel;

/// "load 2048 bytes from 0x7f2000000000, for mbarrier 'full[1]'"; "" where nothing is asked for.
[[nodiscard]] std::string describe_command(const Kernel& kernel, const AsyncOperands& operands);

/// "full[2]", "done" where the array has one, or "at 0x408" where it has no name.
[[nodiscard]] std::string mbarrier_name(const Kernel& kernel, std::uint32_t barrier);

}  // namespace gpusim::trace
