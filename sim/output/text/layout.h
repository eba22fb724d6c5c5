// SPDX-License-Identifier: MIT
// The few shapes that texts for people are made of: headings, bars, aligned tables, wrapped sentences.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace gpusim::layout {

inline constexpr std::size_t kPageWidth = 98;
inline constexpr std::size_t kNarrowestPage = 80;
inline constexpr std::size_t kIndent = 2;

/// What the reader's terminal shows.
struct Look {
  bool colour = false;   ///< ANSI escapes
  bool unicode = false;  ///< block characters in bars; else ASCII
  std::size_t width = kPageWidth;
};

/// kProblem: what a reader should look at first.
enum class Style { kStrong, kFaint, kWarning, kProblem };

/// `text` in a style, or unchanged without colour.
[[nodiscard]] std::string paint(std::string_view text, Style style, const Look& look);

/// A bar of `width` characters, `pct` of it filled (clamped to 0..100; anything above zero shows).
[[nodiscard]] std::string bar(double pct, std::size_t width, const Look& look);

/// An empty line, the heading, and a remark in faint letters behind it, or below where there is no room.
[[nodiscard]] std::string heading(std::string_view text, std::string_view remark, const Look& look);

/// Words filled into lines of at most `width` columns, each indented by `indent`; ends in a newline. A number stays on
/// the line of its unit.
[[nodiscard]] std::string wrapped(std::string_view text, std::size_t indent, std::size_t width = kPageWidth);

/// Columns that the text takes on the screen, without its colours.
[[nodiscard]] std::size_t shown_width(std::string_view text);

/// Cells in columns as wide as their widest cell, two spaces apart. Where they are wider than the page, the widest of
/// the columns that may be cut are cut, cells that have no colour; if that is not enough, the columns that may be left
/// out are.
class Table {
 public:
  /// One letter per column: 'l' or 'r' as they stand, 'L' left and may be cut, 'R' right and may be left out; the
  /// headers.
  Table(std::string_view alignment, std::vector<std::string> header);
  /// As many cells as columns.
  void add(std::vector<std::string> cells);
  [[nodiscard]] std::string to_text(const Look& look) const;

 private:
  [[nodiscard]] std::vector<std::size_t> natural_widths() const;
  /// Widths at which the table is no wider than `page`, 0 of a column that is left out.
  [[nodiscard]] std::vector<std::size_t> widths_within(std::size_t page) const;

  std::string alignment_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace gpusim::layout
