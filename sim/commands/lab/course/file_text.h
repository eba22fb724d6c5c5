// SPDX-License-Identifier: MIT
// The text of a file that a student may have written.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace gpusim::lab {

/// As large as a trace may be; see docs/trace-format.md.
inline constexpr std::uint64_t kLargestFile = 64ULL << 20U;

/// Throws InputError when it is no file, cannot be read, or is larger than kLargestFile.
[[nodiscard]] std::string text_of(const std::filesystem::path& file);

}  // namespace gpusim::lab
