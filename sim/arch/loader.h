// SPDX-License-Identifier: MIT
// Architecture files: typed, with units, extends and overrides; all problems at once.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/arch/arch.h"

namespace gpusim::arch {

/// "dram.bandwidth=4.8TB/s" as given by --set.
struct Override {
  std::string key;
  std::string value;
};

/// Splits "KEY=VALUE"; throws UsageError when there is no '='.
[[nodiscard]] Override parse_override(std::string_view text);

/// Reads, extends, overrides and validates. Throws InputError with every problem (file:line:column, the word, what is
/// allowed, the nearest key).
[[nodiscard]] Arch load_arch(const std::filesystem::path& file, std::span<const Override> overrides);

/// The resolved architecture as a file that loads to the same value (sources and kinds included).
[[nodiscard]] std::string dump_arch(const std::filesystem::path& file, std::span<const Override> overrides);

/// One line a key of the schema: key, unit, allowed range, meaning; the source of docs/architecture-files.md.
[[nodiscard]] std::string schema_markdown();

/// Peak rates of the part, computed from its structure at the clock each names, beside the vendor's figures.
[[nodiscard]] std::vector<Peak> computed_peaks(const Arch& arch);

}  // namespace gpusim::arch
