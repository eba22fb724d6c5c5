// SPDX-License-Identifier: MIT
// Which family lowers which instruction: the one place that knows all families.
#pragma once

#include "sim/exec/core/lowering.h"

namespace gpusim::exec {

/// Null for an operation without semantics.
[[nodiscard]] Lower lower_of(sass::Op op);

}  // namespace gpusim::exec
