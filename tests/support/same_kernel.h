// SPDX-License-Identifier: MIT
// Whether two kernels are the same: what they say, and what their warps do.
#pragma once

#include <string>

#include "sim/model/trace/kernel.h"

namespace gpusim::testing {

/// What of two kernels' code and resources differs; "" when nothing does. Files and behaviour are not looked at.
[[nodiscard]] std::string difference(const trace::Kernel& a, const trace::Kernel& b);

/// Where the first difference of what their warps do is; "" when there is none. `sees_active`: lanes that are on a path
/// without executing count too.
[[nodiscard]] std::string behaviour_difference(const trace::Kernel& a, const trace::Kernel& b, bool sees_active = true);

}  // namespace gpusim::testing
