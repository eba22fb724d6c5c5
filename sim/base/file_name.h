// SPDX-License-Identifier: MIT
// Which values of parameters are names of files, and which file a name in other capitals means.
#pragma once

#include <filesystem>
#include <span>
#include <string_view>

#include "sim/base/text.h"

namespace gpusim {

/// True for a text that can only be the name of a file: it has a folder, or an extension that begins with a letter.
[[nodiscard]] inline bool names_file(std::string_view text) {
  const std::size_t dot = text.rfind('.');
  return text.find('/') != std::string_view::npos || (dot != std::string_view::npos && is_word(text.substr(dot + 1)));
}

/// True for a value that a parameter with words may have: one of them, or the name of a file.
[[nodiscard]] inline bool is_word_or_file(std::string_view text) {
  return is_word(text) || names_file(text);
}

/// The first of the files whose name differs from `name` in its capitals only, with or without the extension; null when
/// there is none.
[[nodiscard]] const std::filesystem::path* in_other_case(std::span<const std::filesystem::path> files,
                                                         std::string_view name);

}  // namespace gpusim
