// SPDX-License-Identifier: MIT
// Finding architecture files by name in folders. Which folders is the program's business.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gpusim::arch {

/// A path that exists, or a name ("h100", "h100.yaml") searched in `folders` in order, then there in other capitals.
/// Throws InputError with the nearest names when nothing fits.
[[nodiscard]] std::filesystem::path resolve_arch_path(std::string_view name,
                                                      std::span<const std::filesystem::path> folders);

/// One file of a listing.
struct ArchFile {
  std::string name;  ///< "h100": what --arch takes
  std::filesystem::path file;
  std::string title;        ///< the GPU's name; empty when the file does not load
  std::string description;  ///< one line; or the first problem
};

/// Every *.yaml of the folders, by name; of equal names the first folder's wins, as in resolve_arch_path().
[[nodiscard]] std::vector<ArchFile> list_archs(std::span<const std::filesystem::path> folders);

/// The first *.yaml of the folders whose name differs from `name` in its capitals only, with or without the extension;
/// empty when there is none.
[[nodiscard]] std::filesystem::path file_in_other_case(std::span<const std::filesystem::path> folders,
                                                       std::string_view name);

/// "did you mean 'h100'?" or the names there are, for a missing file of some folders; with ".yaml" where `name` has it.
[[nodiscard]] std::string near_files(std::span<const std::filesystem::path> folders, std::string_view name);

}  // namespace gpusim::arch
