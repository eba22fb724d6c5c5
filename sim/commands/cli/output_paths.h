// SPDX-License-Identifier: MIT
// The files that a command's options name for its output.
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gpusim {
class OutputFile;
}  // namespace gpusim

namespace gpusim::cli {

struct OutputPath {
  std::string_view option;  ///< "--json"
  std::string path;         ///< as the user gave it; empty: not wanted
};

/// Throws InputError when one of the files would replace `input`.
void refuse_to_replace(std::span<const OutputPath> outputs, const std::filesystem::path& input);

/// Opens all files that are wanted, so that what cannot be written is known before a long run; empty for the others.
/// Throws UsageError for '-' and for two options that name one file, InputError for a folder and for whatever else
/// cannot be written.
[[nodiscard]] std::vector<std::optional<OutputFile>> open_outputs(std::span<const OutputPath> outputs);

/// Whether an output is a file: not a pipe, a device or standard output, where nothing else may stand.
[[nodiscard]] bool is_file(const std::filesystem::path& output);

/// Writes all of the file, and says so on standard error, with `next`, what to do with it. It says nothing where the
/// output is not a file.
void commit_told(OutputFile& file, std::string_view text, std::string_view next = {});

}  // namespace gpusim::cli
