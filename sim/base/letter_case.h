// SPDX-License-Identifier: MIT
// Capitals and small letters of ASCII, whatever the locale.
#pragma once

#include <string>
#include <string_view>

namespace gpusim {

[[nodiscard]] constexpr char in_lower_case(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

[[nodiscard]] inline std::string in_lower_case(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) {
    c = in_lower_case(c);
  }
  return lower;
}

}  // namespace gpusim
