// SPDX-License-Identifier: MIT
// What `gpusim arch list|show|diff` say, as text for people and JSON for programs. Pure functions of architectures.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/commands/cli/listed_files.h"
#include "sim/model/arch/loader.h"
#include "sim/output/text/layout.h"

namespace gpusim::arch_tables {

/// A file of the list: its architecture, or why it has none.
using Listing = cli::ListedFile<arch::Arch>;

/// A table to choose from: one line per GPU with its peaks, caches, memory, and how much of the description is guessed.
[[nodiscard]] std::string list_text(std::span<const Listing> gpus, const layout::Look& look);
/// Schema gpusim.arch-list/1: the same figures in base units (operations and bytes a second, bytes, hertz).
[[nodiscard]] std::string list_json(std::span<const Listing> gpus);

/// The resolved file, then the peaks that follow as comments, so that the whole loads again.
[[nodiscard]] std::string show_text(const arch::Resolved& gpu);
/// Schema gpusim.arch/1: every value with kind and sources, peaks, ridge points.
[[nodiscard]] std::string show_json(const arch::Resolved& gpu);

/// A value that two GPUs do not share, as their files write it; "" where a file says nothing. `factor` is right / left
/// where both are numbers of the same unit and left is not zero.
struct Difference {
  std::string key;
  std::string left;
  std::string right;
  std::optional<double> factor;
};

/// Names are left out, because they differ anyway, and the vendors' figures, because the peaks are compared.
[[nodiscard]] std::vector<Difference> differences(const arch::Sheet& left, const arch::Sheet& right);

/// Peaks side by side, then what differs; `left` is what the factors are relative to.
[[nodiscard]] std::string diff_text(const arch::Resolved& left, const arch::Resolved& right, const layout::Look& look);
/// Schema gpusim.arch-diff/1.
[[nodiscard]] std::string diff_json(const arch::Resolved& left, const arch::Resolved& right);

}  // namespace gpusim::arch_tables
