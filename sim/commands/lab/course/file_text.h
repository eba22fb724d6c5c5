// SPDX-License-Identifier: MIT
// The text of a file that a student may have written.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace gpusim::lab {

/// Far more than a student writes; a check reads such a file at once.
inline constexpr std::uint64_t kLargestFile = 4ULL << 20U;

/// Throws InputError when it is not a file, cannot be read, or is larger than kLargestFile.
[[nodiscard]] std::string text_of(const std::filesystem::path& file);

}  // namespace gpusim::lab
