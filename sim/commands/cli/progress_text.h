// SPDX-License-Identifier: MIT
// What the progress line says.
#pragma once

#include <string>

#include "sim/machine/gpu/simulate_options.h"

namespace gpusim::cli {

/// One line without control characters, after `seconds` of simulation: a bar of the whole run and its share done, the
/// kernel (its first letters), its cycle or that its caches are being warmed, the time so far and about that left.
[[nodiscard]] std::string progress_text(const gpu::Progress& progress, double seconds);

}  // namespace gpusim::cli
