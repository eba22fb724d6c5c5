// SPDX-License-Identifier: MIT
// What tells compiled kernels and their source from other files.
#pragma once

#include <filesystem>
#include <string_view>

namespace gpusim::code {

inline constexpr std::string_view kElfMagic = "\177ELF";
inline constexpr std::string_view kFatbinMagic = "\x50\xed\x55\xba";

/// Whether a file begins as a cubin, a fatbin, a program or a library: cubin::for_each_image() reads them.
[[nodiscard]] inline bool is_compiled(std::string_view beginning) {
  return beginning.starts_with(kElfMagic) || beginning.starts_with(kFatbinMagic);
}

/// A file that has to be compiled: .cu, or .ptx.
[[nodiscard]] inline bool is_source(const std::filesystem::path& path) {
  return path.extension() == ".cu" || path.extension() == ".ptx";
}

}  // namespace gpusim::code
