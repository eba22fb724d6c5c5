// SPDX-License-Identifier: MIT
// Files of applications. docs/applications.md describes them.
#pragma once

#include <filesystem>
#include <span>
#include <string>

#include "sim/system/application/application.h"

namespace gpusim::arch {
struct Override;
}  // namespace gpusim::arch

namespace gpusim::application {

/// Reads and checks a file. Throws InputError with every problem (file:line:column, the word, what is allowed, the
/// nearest word). `changes` are made before: "repeats", "kernels.relu.bytes".
[[nodiscard]] Application load_application(const std::filesystem::path& file,
                                           std::span<const arch::Override> changes = {});

/// The same for a text; `name` stands for the file in messages.
[[nodiscard]] Application parse_application(std::string text, const std::string& name,
                                            std::span<const arch::Override> changes = {});

/// The kinds of call with their keys, as Markdown: the generated part of docs/applications.md.
[[nodiscard]] std::string calls_markdown();

}  // namespace gpusim::application
