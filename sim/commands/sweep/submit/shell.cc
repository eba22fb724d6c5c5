// SPDX-License-Identifier: MIT
#include "sim/commands/sweep/submit/shell.h"

#include <algorithm>

namespace gpusim::sweep {
namespace {

/// Means nothing to a shell anywhere in a word.
bool is_plain(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         std::string_view("_-./,:+@%").find(c) != std::string_view::npos;
}

}  // namespace

std::string shell_word(std::string_view text) {
  if (!text.empty() && std::ranges::all_of(text, is_plain)) {
    return std::string(text);
  }
  std::string word = "'";
  for (const char c : text) {
    word += c == '\'' ? std::string("'\\''") : std::string(1, c);
  }
  return word + "'";
}

std::string shell_line(std::span<const std::string> words) {
  std::string line;
  for (const std::string& word : words) {
    line += (line.empty() ? "" : " ") + shell_word(word);
  }
  return line;
}

}  // namespace gpusim::sweep
