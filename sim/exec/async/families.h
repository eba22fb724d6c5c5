// SPDX-License-Identifier: MIT
// The families of Hopper's asynchronous instructions. What they start is done at once: a program that waits as it has
// to cannot see the difference.
#pragma once

#include <span>

#include "sim/exec/core/lowering.h"

namespace gpusim::exec {

[[nodiscard]] std::span<const LowerRow> mbarrier_rows();
[[nodiscard]] std::span<const LowerRow> bulk_copy_rows();
[[nodiscard]] std::span<const LowerRow> cluster_rows();
[[nodiscard]] std::span<const LowerRow> signalled_store_rows();

}  // namespace gpusim::exec
