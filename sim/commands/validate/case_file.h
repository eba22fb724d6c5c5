// SPDX-License-Identifier: MIT
// Cases as YAML files (docs/validation.md): what a file's cases have in common is said once, and a case may have rows.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "sim/commands/validate/case.h"
#include "sim/commands/validate/gpu_names.h"

namespace gpusim::validate {

/// Cases of one file are at most this many.
inline constexpr std::size_t kMostCases = 10'000;

/// Reads and checks the cases of a file; `suite` is theirs unless they say otherwise. Throws InputError with every
/// problem as file:line:column: unknown keys, GPUs and metrics (with the nearest), values that are missing or of the
/// wrong form, ids that are given twice.
[[nodiscard]] std::vector<Case> read_cases(const std::filesystem::path& file, const std::string& suite,
                                           const GpuNames& gpus);

/// The same from text; `name` stands for the file in messages.
[[nodiscard]] std::vector<Case> parse_cases(const std::string& text, const std::string& name, const std::string& suite,
                                            const GpuNames& gpus);

/// The keys of a case with what they mean, as a Markdown table.
[[nodiscard]] std::string case_keys_markdown();

}  // namespace gpusim::validate
