// SPDX-License-Identifier: MIT
// Launches as a YAML file: everything that `gpusim exec` takes as options, and several launches one after another on
// the same buffers. docs/launch-files.md describes it.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "sim/code/launch/request.h"

namespace gpusim::launch {

/// Throws InputError with all problems, each at its place. Names of files become paths beside the launch file.
[[nodiscard]] Request read_launch_file(const std::filesystem::path& path);
/// The same of a text; `name` stands for the file.
[[nodiscard]] Request parse_launch_file(std::string_view yaml, const std::filesystem::path& name);

/// The keys, forms and fills as the tables of docs/launch-files.md.
[[nodiscard]] std::string launch_file_markdown();

}  // namespace gpusim::launch
