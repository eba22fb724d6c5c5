// SPDX-License-Identifier: MIT
// What tells listings of SASS from other texts, without reading them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <string_view>

#include "sim/input/kind/kind.h"

namespace gpusim::frontend::sass {

/// Whether a line of code may begin with this word: "/*0000*/", "[B--2---:R0:W3:Y:S04]", or "04:1:4:Y:4" as maxas
/// writes control bits.
[[nodiscard]] inline bool begins_code(std::string_view word) {
  constexpr std::string_view kDigits = "0123456789abcdefABCDEF";
  constexpr std::size_t kShortestAddress = 8;  // "/*0000*/"
  if (word.size() >= kShortestAddress && word.starts_with("/*") && word.ends_with("*/")) {
    return word.substr(2, word.size() - 4).find_first_not_of(kDigits) == std::string_view::npos;
  }
  constexpr std::ptrdiff_t kColons = 4;
  if (std::ranges::count(word, ':') != kColons) {
    return false;
  }
  const std::size_t last = word.rfind(':');
  const bool yields = word[last - 1] == 'Y' || word[last - 1] == '-';
  return yields && ((word.starts_with("[B") && word.ends_with(']')) ||
                    word.find_first_not_of("0123456789abcdefABCDEFY-:") == std::string_view::npos);
}

/// Whether a text that begins so looks like a listing. What begins, but for comments ('#'), as a gpusim trace is none.
[[nodiscard]] inline bool is_listing(std::string_view beginning) {
  constexpr std::string_view kMarks[] = {"Function :", ".headerflags", "SHI_REGISTERS=", "code for sm_"};
  constexpr std::string_view kBlanks = " \t\r\v\f";
  if (begins_as_trace(beginning)) {
    return false;
  }
  if (std::ranges::any_of(kMarks, [&](std::string_view mark) { return beginning.find(mark) != beginning.npos; })) {
    return true;
  }
  // Fragments: some line begins with an address or, in the notation of assemblers, with control bits.
  while (!beginning.empty()) {
    const std::size_t end = std::min(beginning.find('\n'), beginning.size());
    std::string_view line = beginning.substr(0, end);
    line.remove_prefix(std::min(line.find_first_not_of(kBlanks), line.size()));
    if (begins_code(line.substr(0, line.find_first_of(kBlanks)))) {
      return true;
    }
    beginning.remove_prefix(std::min(end + 1, beginning.size()));
  }
  return false;
}

/// Whether the file looks like a listing: one that is binary does not.
[[nodiscard]] inline bool is_listing_file(const std::filesystem::path& path) {
  const std::string beginning = beginning_of(path, kEnoughForTexts);
  return beginning.find('\0') == beginning.npos && is_listing(beginning);
}

}  // namespace gpusim::frontend::sass
