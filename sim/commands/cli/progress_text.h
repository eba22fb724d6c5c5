// SPDX-License-Identifier: MIT
// What the progress line says.
#pragma once

#include <string>

#include "sim/machine/gpu/simulate_options.h"

namespace gpusim::cli {

/// One line without control characters, after `seconds` of simulation: a bar, the share of CTAs done, the kernel (its
/// first letters) and the cycle; before the first cycle, that the caches are being warmed.
[[nodiscard]] std::string progress_text(const gpu::Progress& progress, double seconds);

}  // namespace gpusim::cli
