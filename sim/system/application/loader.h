// SPDX-License-Identifier: MIT
// Files of applications. docs/applications.md describes them.
#pragma once

#include <filesystem>
#include <string>

#include "sim/system/application/application.h"

namespace gpusim::application {

/// Reads and checks a file. Throws InputError with every problem (file:line:column, the word, what is allowed, the
/// nearest word).
[[nodiscard]] Application load_application(const std::filesystem::path& file);

/// The same for a text; `name` stands for the file in messages.
[[nodiscard]] Application parse_application(std::string text, const std::string& name);

/// The kinds of call with their keys, as Markdown: the generated part of docs/applications.md.
[[nodiscard]] std::string calls_markdown();

}  // namespace gpusim::application
