// SPDX-License-Identifier: MIT
// Model files: typed and with sources, as architecture files are. See docs/models.md.
#pragma once

#include <filesystem>
#include <string>

#include "sim/system/models/model.h"

namespace gpusim::models {

/// Reads and checks a file. Throws InputError with every problem (file:line:column, the word, what is allowed, the
/// nearest word); also where its shapes do not give the parameters that its makers publish.
[[nodiscard]] Model load_model(const std::filesystem::path& file);

/// The same for a text; `name` stands for the file in messages.
[[nodiscard]] Model parse_model(std::string text, const std::string& name);

}  // namespace gpusim::models
