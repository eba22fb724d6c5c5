// SPDX-License-Identifier: MIT
// System files: typed, with units and sources, as architecture files are. See docs/systems.md.
#pragma once

#include <filesystem>
#include <span>
#include <string>

#include "sim/system/config/changes.h"
#include "sim/system/config/system.h"

namespace gpusim::system {

/// Reads and checks a file. `arch_folders` are those in which the architectures of its GPUs are searched by name.
/// Throws InputError with every problem (file:line:column, the word, what is allowed, the nearest word).
/// `changes` are made before it is checked, with what follows from them.
[[nodiscard]] System load_system(const std::filesystem::path& file, std::span<const std::filesystem::path> arch_folders,
                                 const Changes& changes = {});

/// The same for a text; `name` stands for the file in messages.
[[nodiscard]] System parse_system(std::string text, const std::string& name,
                                  std::span<const std::filesystem::path> arch_folders, const Changes& changes = {});

}  // namespace gpusim::system
