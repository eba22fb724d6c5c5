// SPDX-License-Identifier: MIT
// Which architecture a GPU has that a profiler names as its driver does.
#pragma once

#include <string_view>

namespace gpusim::kineto {

/// "h100" of "NVIDIA H100 80GB HBM3", as architecture files are called; empty where no file is of that GPU, such as of
/// a laptop's, or of a part of one (MIG). Names of architecture files stand for themselves.
[[nodiscard]] std::string_view arch_of_gpu(std::string_view name);

}  // namespace gpusim::kineto
