// SPDX-License-Identifier: MIT
// Which program a stored step is of.
#pragma once

#include <string>
#include <string_view>

namespace gpusim::sweep {

/// Digest of the sources that decide the time of a step besides the simulation of its kernels, made when the program is
/// built.
[[nodiscard]] std::string_view step_digest();

/// "0.1.0, model 1f2e3d4c5b6a, steps 6a5b4c3d2e1f".
[[nodiscard]] std::string step_version();

}  // namespace gpusim::sweep
