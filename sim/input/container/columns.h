// SPDX-License-Identifier: MIT
// Help with the columns of messages: texts in lines, numbers as differences, and sizes that must agree.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "sim/input/container/section.h"

namespace gpusim::container {

/// Throws InputError: `file` says something that cannot be.
inline void require(bool holds, const std::string& file, const char* what) {
  if (!holds) {
    fail_damaged(file, std::string(what) + " make no sense");
  }
}

/// A number of a file as `Number`, which must hold it.
template <class Number, class Stored>
[[nodiscard]] Number narrow(Stored stored, const std::string& file, const char* what) {
  const auto number = static_cast<Number>(stored);
  require(static_cast<Stored>(number) == stored && (number < Number{}) == (stored < Stored{}), file, what);
  return number;
}

/// A line for each text; what would end a line early becomes a blank.
inline void append_line(std::string& lines, std::string_view text) {
  for (const char c : text) {
    lines += c == '\n' ? ' ' : c;
  }
  lines += '\n';
}

[[nodiscard]] inline std::vector<std::string> split_lines(std::string_view lines) {
  std::vector<std::string> texts;
  while (!lines.empty()) {
    const std::size_t end = std::min(lines.find('\n'), lines.size());
    texts.emplace_back(lines.substr(0, end));
    lines.remove_prefix(std::min(end + 1, lines.size()));
  }
  return texts;
}

/// Turns a column into the differences of its entries, which wrap around.
class Differences {
 public:
  [[nodiscard]] std::int64_t of(std::uint64_t value) {
    const std::uint64_t difference = value - last_;
    last_ = value;
    return static_cast<std::int64_t>(difference);
  }
  [[nodiscard]] std::uint64_t sum(std::int64_t difference) { return last_ += static_cast<std::uint64_t>(difference); }

 private:
  std::uint64_t last_ = 0;
};

}  // namespace gpusim::container
