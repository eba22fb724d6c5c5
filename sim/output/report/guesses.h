// SPDX-License-Identifier: MIT
// Which of an architecture's uncertain values bear on a result most.
#pragma once

#include <vector>

#include "sim/output/report/view.h"

namespace gpusim::report {

/// Guessed and inferred values in the order in which to doubt them: those of the unit that bounds the longest kernel
/// (or of the memory system, when its warps wait for memory) first, guesses before inferred ones, then as in the file.
[[nodiscard]] std::vector<const stats::GuessedValue*> guesses_by_weight(const View& view);

}  // namespace gpusim::report
