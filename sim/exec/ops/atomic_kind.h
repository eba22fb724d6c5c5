// SPDX-License-Identifier: MIT
// What an atomic does, by the modifiers of its instruction.
#pragma once

#include "sim/exec/core/lowering.h"
#include "sim/exec/memory/atomic.h"

namespace gpusim::exec {

/// Its `count` is 0 where the modifiers have no meaning.
[[nodiscard]] AtomicKind atomic_kind(const Lowering& lowering);

}  // namespace gpusim::exec
