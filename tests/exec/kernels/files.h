// SPDX-License-Identifier: MIT
// The compiled kernels of data/.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "sim/code/cubin/module.h"

namespace gpusim::exec {

inline constexpr unsigned kCompiledFor[] = {75, 80, 86, 90};

/// All fatbins, by name.
[[nodiscard]] std::vector<std::filesystem::path> kernel_files();

/// data/NAME.fatbin
[[nodiscard]] std::filesystem::path kernel_file(const std::string& name);

/// The machine code that data/NAME.fatbin has for an SM; nothing where it has none.
[[nodiscard]] std::vector<cubin::Module> modules_of(const std::filesystem::path& file, unsigned sm);

}  // namespace gpusim::exec
