// SPDX-License-Identifier: MIT
// What measurements call a GPU, and the architecture that stands for it: tests/validation/gpus.yaml.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "sim/commands/validate/case.h"

namespace gpusim::validate {

struct NamedGpu {
  std::string arch;  ///< empty: no file describes this GPU
  std::vector<NamedText> set;
};

/// GPUs by the names sources give them.
using GpuNames = std::map<std::string, NamedGpu, std::less<>>;

/// Throws InputError with every problem of the table.
[[nodiscard]] GpuNames read_gpu_names(const std::filesystem::path& file);

}  // namespace gpusim::validate
