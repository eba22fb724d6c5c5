// SPDX-License-Identifier: MIT
// Words that a POSIX shell reads back as they were, whatever is in them.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace gpusim::sweep {

/// `text` as one word: quoted where a shell would see anything in it but letters.
[[nodiscard]] std::string shell_word(std::string_view text);

/// A command that can be pasted into a shell.
[[nodiscard]] std::string shell_line(std::span<const std::string> words);

}  // namespace gpusim::sweep
