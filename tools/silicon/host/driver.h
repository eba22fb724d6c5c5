// SPDX-License-Identifier: MIT
// Which release of NVIDIA's driver runs; the CUDA runtime names only the CUDA version that it supports.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace gpusim::silicon {

/// The first word that looks like a release ("580.159.04") in the first of `files` that has one; empty when none has.
[[nodiscard]] std::string driver_version(const std::vector<std::filesystem::path>& files);

}  // namespace gpusim::silicon
