// SPDX-License-Identifier: MIT
// docs/compiled-kernels.md: what became of every kernel.
#pragma once

#include <string>

namespace gpusim::exec {

enum class Speeds : bool { kLeftOut, kMeasured };

/// Runs all kernels. Speeds are of this build on this machine, and stand in the last column.
[[nodiscard]] std::string kernel_page(Speeds speeds);

/// The page without what was measured.
[[nodiscard]] std::string without_speeds(const std::string& page);

}  // namespace gpusim::exec
