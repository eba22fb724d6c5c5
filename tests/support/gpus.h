// SPDX-License-Identifier: MIT
// The table that maps GPU names found in measurements to architecture files: tests/validation/gpus.yaml.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace gpusim::test {

/// An architecture that stands for a GPU: a file of configs/ and what differs from it.
struct ArchOfGpu {
  std::string arch;  ///< empty: no file describes this GPU
  std::map<std::string, std::string> set;
  std::string note;
};

/// All names of the table.
[[nodiscard]] const std::map<std::string, ArchOfGpu, std::less<>>& known_gpus();

/// By the name a source or a device gives ("NVIDIA H200"); nothing for a GPU that no file describes.
[[nodiscard]] std::optional<ArchOfGpu> arch_of_gpu(std::string_view gpu);

}  // namespace gpusim::test
