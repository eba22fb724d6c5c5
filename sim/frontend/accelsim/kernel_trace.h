// SPDX-License-Identifier: MIT
// One kernel's trace file to a kernel.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "sim/trace/kernel.h"

namespace gpusim::frontend::accelsim {

/// Reads the file twice: once for its program and for everything that may be wrong with it, once for its behaviour.
/// Throws InputError. Warnings are appended without duplicates.
[[nodiscard]] trace::Kernel load_kernel(const std::filesystem::path& path, std::vector<std::string>& warnings);

}  // namespace gpusim::frontend::accelsim
