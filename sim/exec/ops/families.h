// SPDX-License-Identifier: MIT
// The families of instructions that do more than calculate: control flow, exchange between lanes, memory.
#pragma once

#include <span>

#include "sim/exec/core/lowering.h"

namespace gpusim::exec {

[[nodiscard]] std::span<const LowerRow> control_rows();
[[nodiscard]] std::span<const LowerRow> barrier_rows();
[[nodiscard]] std::span<const LowerRow> exchange_rows();
[[nodiscard]] std::span<const LowerRow> special_rows();
[[nodiscard]] std::span<const LowerRow> constant_rows();
[[nodiscard]] std::span<const LowerRow> memory_rows();
[[nodiscard]] std::span<const LowerRow> atomic_rows();
[[nodiscard]] std::span<const LowerRow> convert_rows();
[[nodiscard]] std::span<const LowerRow> matrix_move_rows();
[[nodiscard]] std::span<const LowerRow> async_copy_rows();

}  // namespace gpusim::exec
