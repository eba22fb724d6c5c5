// SPDX-License-Identifier: MIT
// A trace file's text: read, decompressed, and cut into logical lines without comments.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/problem.h"

namespace gpusim::frontend {

/// Largest text read, after decompression.
inline constexpr std::size_t kMostTextBytes = 64U << 20U;

/// The text of a file, decompressed when it begins with zstd's magic number. Throws InputError for a file that is
/// missing, a directory, empty, too large, cut off, or no text.
[[nodiscard]] std::string read_text(const std::filesystem::path& path);

/// Throws InputError when `text` is empty, too large or no text.
void check_text(std::string_view text, const std::string& name);

/// Lines joined by trailing backslashes, without comments.
struct LogicalLine {
  struct Piece {
    std::size_t begin = 0;  ///< offset in `text` where this source line begins
    std::uint32_t line = 0;
  };
  std::string text;
  std::vector<Piece> pieces;
  [[nodiscard]] Place place(std::size_t offset) const;
};

/// Cuts a text into logical lines that are not blank, one at a time.
class LineReader {
 public:
  explicit LineReader(std::string_view text) : rest_(text) {}
  [[nodiscard]] bool next(LogicalLine& line);

 private:
  std::string_view take_source_line();

  std::string_view rest_;
  std::uint32_t line_ = 0;
};

}  // namespace gpusim::frontend
