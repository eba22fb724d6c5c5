// SPDX-License-Identifier: MIT
// The few shapes that texts for people are made of: headings, bars, aligned tables, wrapped sentences.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace gpusim::layout {

/// What the reader's terminal shows.
struct Look {
  bool colour = false;   ///< ANSI escapes
  bool unicode = false;  ///< block characters in bars; else ASCII
};

inline constexpr std::size_t kPageWidth = 98;
inline constexpr std::size_t kIndent = 2;

enum class Style { kHeading, kStrong, kFaint, kWarning };

/// `text` in a style, or unchanged without colour.
[[nodiscard]] std::string paint(std::string_view text, Style style, const Look& look);

/// A bar of `width` characters, `pct` of it filled (clamped to 0..100; anything above zero shows).
[[nodiscard]] std::string bar(double pct, std::size_t width, const Look& look);

/// An empty line, the heading, and a remark in faint letters behind it.
[[nodiscard]] std::string heading(std::string_view text, std::string_view remark, const Look& look);

/// Words filled into lines of at most `width` columns, each indented by `indent`; ends in a newline.
[[nodiscard]] std::string wrapped(std::string_view text, std::size_t indent, std::size_t width = kPageWidth);

/// Cells in columns as wide as their widest cell, two spaces apart.
class Table {
 public:
  /// One letter a column: 'l' or 'r'; the headers.
  Table(std::string_view alignment, std::vector<std::string> header);
  /// As many cells as columns.
  void add(std::vector<std::string> cells);
  [[nodiscard]] std::string to_text(const Look& look) const;

 private:
  std::string alignment_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace gpusim::layout
