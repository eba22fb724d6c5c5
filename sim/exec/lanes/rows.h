// SPDX-License-Identifier: MIT
// The tables of the families, one a source file.
#pragma once

#include <span>

#include "sim/exec/core/lowering.h"
#include "sim/exec/lanes/variant.h"

namespace gpusim::exec::GPUSIM_LANES {

[[nodiscard]] std::span<const LowerRow> integer_rows();
[[nodiscard]] std::span<const LowerRow> logic_rows();
[[nodiscard]] std::span<const LowerRow> float_rows();
[[nodiscard]] std::span<const LowerRow> half_rows();
[[nodiscard]] std::span<const LowerRow> double_rows();
[[nodiscard]] std::span<const LowerRow> function_rows();
[[nodiscard]] std::span<const LowerRow> matrix_rows();
[[nodiscard]] std::span<const LowerRow> warpgroup_rows();

}  // namespace gpusim::exec::GPUSIM_LANES
