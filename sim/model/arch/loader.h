// SPDX-License-Identifier: MIT
// Architecture files: typed, with units, extends and overrides; all problems at once. See docs/architecture-files.md.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/model/arch/override.h"

namespace gpusim::arch {

struct Arch;
struct Resolved;
class Sheet;

using Folders = std::span<const std::filesystem::path>;

/// Reads, extends, overrides and validates. What a file extends is searched beside it, then by name in `folders`.
/// Throws InputError with every problem (file:line:column, or "--set KEY"; the word, what is allowed, the nearest key).
[[nodiscard]] Resolved resolve_arch(const std::filesystem::path& file, std::span<const Override> overrides,
                                    Folders folders = {});

/// The rest of resolve_arch() for a sheet that was read (sheet.h): what many what-ifs of one file have in common is
/// then done once.
[[nodiscard]] Resolved resolve_sheet(Sheet sheet, std::span<const Override> overrides);

/// resolve_arch() without the provenance.
[[nodiscard]] Arch load_arch(const std::filesystem::path& file, std::span<const Override> overrides,
                             Folders folders = {});

/// The compute capability of what a file describes, "9.0": which machine code it runs. Throws as load_arch() does.
[[nodiscard]] std::string compute_capability_of(const std::filesystem::path& file, Folders folders = {});

/// Every key: unit, allowed range, meaning, in Markdown tables; the generated part of docs/architecture-keys.md.
[[nodiscard]] std::string schema_markdown();

}  // namespace gpusim::arch
