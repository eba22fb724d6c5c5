// SPDX-License-Identifier: MIT
// F2FP in its rarer forms: directed rounding, saturation to finite numbers, FP8, TF32.
#pragma once

#include "sim/exec/core/lowering.h"

namespace gpusim::exec {

void lower_rare_packing(Lowering& lowering);

}  // namespace gpusim::exec
