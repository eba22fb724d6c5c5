// SPDX-License-Identifier: MIT
// A page of character cells to draw on: fine lines, right-angled paths, glyphs and words.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sim/output/plot/text_plot.h"

namespace gpusim::plot {

/// A cell, counted from the top left. Those beyond the page are cut off.
struct CellAt {
  std::ptrdiff_t column = 0;
  std::ptrdiff_t row = 0;
};

/// Strokes of one series: the n-th series of a kind draws with the n-th pattern or weight.
struct Pen {
  std::size_t number = 0;
  std::size_t dots = 0;  ///< drawn so far, so that a pattern goes on from segment to segment
};

class Canvas {
 public:
  Canvas(std::size_t columns, std::size_t rows, bool utf8);

  /// The cell of a place on the page: x and y from 0 (left, bottom) to 1; beyond the page, a cell just outside.
  [[nodiscard]] CellAt cell_of(Point place) const;
  /// A straight line of dots, eight a cell (two in ASCII), cut off at the edges.
  void draw_line(Point from, Point to, Pen& pen);
  /// Along the row, then along the column.
  void draw_corner(CellAt from, CellAt to, const Pen& pen);
  /// A short horizontal stroke, so that a path's ends are seen.
  void draw_stub(CellAt at, const Pen& pen);
  /// One character, over whatever is there.
  void put(CellAt at, std::string_view glyph);
  /// ASCII letters, one a cell.
  void write(CellAt from, std::string_view text);
  /// Whether `columns` cells from here on are on the page and nothing is drawn there.
  [[nodiscard]] bool is_blank(CellAt from, std::size_t columns) const;
  /// A row as text, without spaces at its end.
  [[nodiscard]] std::string row_text(std::size_t row) const;

 private:
  struct Cell {
    std::uint8_t dots = 0;    ///< bits of a braille pattern (ASCII: 1 upper half, 2 lower)
    std::uint8_t links = 0;   ///< to which neighbours a path goes on
    std::uint8_t weight = 0;  ///< weight of the path
    std::string glyph;        ///< over both
  };
  [[nodiscard]] bool contains(CellAt at) const;
  [[nodiscard]] Cell& cell(CellAt at) { return cells_[static_cast<std::size_t>(at.row) * columns_ + at.column]; }
  [[nodiscard]] const Cell& cell(CellAt at) const {
    return cells_[static_cast<std::size_t>(at.row) * columns_ + at.column];
  }
  [[nodiscard]] std::string text_of(const Cell& cell) const;
  void dot(double x, double y);
  void link(CellAt at, unsigned links, const Pen& pen);

  std::size_t columns_;
  std::size_t rows_;
  bool utf8_;
  std::vector<Cell> cells_;
};

}  // namespace gpusim::plot
