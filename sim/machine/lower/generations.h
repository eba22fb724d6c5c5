// SPDX-License-Identifier: MIT
// Which GPUs have the instructions of a timing class, for advice where one lacks them.
#pragma once

#include <string_view>

#include "sim/model/isa/timing.h"

namespace gpusim::lower {

/// "8.0 or higher": the compute capabilities with the class's instructions; "" where every GPU has them.
[[nodiscard]] std::string_view generations_of(isa::TimingClass timing);

}  // namespace gpusim::lower
