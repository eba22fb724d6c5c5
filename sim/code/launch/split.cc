// SPDX-License-Identifier: MIT
#include "sim/code/launch/split.h"

#include "sim/base/trimmed.h"

namespace gpusim::launch {

std::vector<std::string_view> split_outside_brackets(std::string_view text) {
  std::vector<std::string_view> parts;
  std::size_t begin = 0;
  int depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    depth += c == '(' || c == '<' || c == '[' || c == '{' ? 1 : c == ')' || c == '>' || c == ']' || c == '}' ? -1 : 0;
    if (c == ',' && depth == 0) {
      parts.push_back(trimmed(text.substr(begin, i - begin)));
      begin = i + 1;
    }
  }
  if (!trimmed(text).empty()) {
    parts.push_back(trimmed(text.substr(begin)));
  }
  return parts;
}

}  // namespace gpusim::launch
