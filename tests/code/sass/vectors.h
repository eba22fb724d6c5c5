// SPDX-License-Identifier: MIT
// Pairs of code and text.
#pragma once

#include <cstdint>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "sim/code/sass/code.h"

namespace gpusim::sass {

struct Vector {
  unsigned sm = 0;
  Code code;
  std::string text;
  std::uint64_t address = 0;
};

/// 32 hexadecimal digits, the upper half first.
inline Code code_of(std::string_view digits) {
  const auto half = [&](std::size_t at) { return std::stoull(std::string(digits.substr(at, 16)), nullptr, 16); };
  return {half(16), half(0)};
}

/// Fields between commas, which stand inside double quotes for themselves.
inline std::vector<std::string> fields_of(std::string_view line) {
  std::vector<std::string> fields(1);
  bool quoted = false;
  for (const char c : line) {
    if (c == '"') {
      quoted = !quoted;
    } else if (c == ',' && !quoted) {
      fields.emplace_back();
    } else {
      fields.back() += c;
    }
  }
  return fields;
}

/// A file of lines "sm,code,text,address" with a title.
inline std::vector<Vector> read_vectors(const std::string& path) {
  std::vector<Vector> vectors;
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  while (std::getline(file, line)) {
    const std::vector<std::string> fields = fields_of(line);
    vectors.push_back({static_cast<unsigned>(std::stoul(fields.at(0))), code_of(fields.at(1)), fields.at(2),
                       std::stoull(fields.at(3), nullptr, 16)});
  }
  return vectors;
}

}  // namespace gpusim::sass
