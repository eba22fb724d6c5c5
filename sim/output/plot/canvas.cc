// SPDX-License-Identifier: MIT
#include "sim/output/plot/canvas.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

namespace gpusim::plot {
namespace {

enum Link : unsigned { kLeft = 1, kRight = 2, kUp = 4, kDown = 8 };

/// Strokes by the links of a cell, light, heavy and double.
using Strokes = std::array<std::string_view, 16>;
constexpr std::array<Strokes, 3> kBoxes{
    {{" ", "─", "─", "─", "│", "┘", "└", "┴", "│", "┐", "┌", "┬", "│", "┤", "├", "┼"},
     {" ", "━", "━", "━", "┃", "┛", "┗", "┻", "┃", "┓", "┏", "┳", "┃", "┫", "┣", "╋"},
     {" ", "═", "═", "═", "║", "╝", "╚", "╩", "║", "╗", "╔", "╦", "║", "╣", "╠", "╬"}}};
constexpr std::array<Strokes, 3> kAsciiBoxes{
    {{" ", "-", "-", "-", "|", "+", "+", "+", "|", "+", "+", "+", "|", "+", "+", "+"},
     {" ", "=", "=", "=", "H", "#", "#", "#", "H", "#", "#", "#", "H", "#", "#", "#"},
     {" ", "~", "~", "~", "!", "%", "%", "%", "!", "%", "%", "%", "!", "%", "%", "%"}}};

/// Dots drawn and left out in turn.
struct Pattern {
  std::size_t on;
  std::size_t off;
};
constexpr std::array<Pattern, 3> kPatterns{{{1, 0}, {1, 2}, {5, 4}}};
/// With two dots a cell only longer gaps are seen.
constexpr std::array<Pattern, 3> kAsciiPatterns{{{1, 0}, {1, 1}, {4, 3}}};

/// Dots of a cell across and down.
struct Fineness {
  int across;
  int down;
};
constexpr Fineness kBraille{2, 4};
constexpr Fineness kHalves{1, 2};

/// U+2800 and on: eight dots, numbered down the columns but for the lowest pair, which came later.
std::string braille(unsigned dots) {
  return {static_cast<char>(0xe2), static_cast<char>(0xa0 | dots >> 6U), static_cast<char>(0x80 | (dots & 0x3fU))};
}

/// The part of a line within the unit square (Liang and Barsky); empty when it misses the square.
std::optional<std::pair<Point, Point>> clipped_to_page(Point from, Point to) {
  const double dx = to.x - from.x;
  const double dy = to.y - from.y;
  double begin = 0;
  double end = 1;
  for (const auto& [slope, room] : {std::pair{-dx, from.x}, {dx, 1 - from.x}, {-dy, from.y}, {dy, 1 - from.y}}) {
    if (slope == 0 && room < 0) {
      return std::nullopt;
    }
    if (slope < 0) {
      begin = std::max(begin, room / slope);
    } else if (slope > 0) {
      end = std::min(end, room / slope);
    }
  }
  if (begin > end) {
    return std::nullopt;
  }
  return std::pair{Point{from.x + begin * dx, from.y + begin * dy}, Point{from.x + end * dx, from.y + end * dy}};
}

}  // namespace

Canvas::Canvas(std::size_t columns, std::size_t rows, bool utf8)
    : columns_(columns), rows_(rows), utf8_(utf8), cells_(columns * rows) {}

bool Canvas::contains(CellAt at) const {
  return at.column >= 0 && at.row >= 0 && std::cmp_less(at.column, columns_) && std::cmp_less(at.row, rows_);
}

CellAt Canvas::cell_of(Point place) const {
  const auto index = [](double share, std::size_t cells) {
    const double at = std::round(share * static_cast<double>(cells - 1));
    return static_cast<std::ptrdiff_t>(std::clamp(at, -1.0, static_cast<double>(cells)));
  };
  return {index(place.x, columns_), index(1 - place.y, rows_)};
}

void Canvas::dot(double x, double y) {
  static constexpr std::array<std::array<std::uint8_t, 2>, 4> kDots{
      {{0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}}};
  const Fineness fine = utf8_ ? kBraille : kHalves;
  const auto column = static_cast<std::ptrdiff_t>(x);
  const auto row = static_cast<std::ptrdiff_t>(y);
  const CellAt at{column / fine.across, row / fine.down};
  if (contains(at)) {
    const auto across = static_cast<std::size_t>(column % fine.across);
    const auto down = static_cast<std::size_t>(row % fine.down);
    cell(at).dots |= utf8_ ? kDots[down][across] : static_cast<std::uint8_t>(1U << down);
  }
}

void Canvas::draw_line(Point from, Point to, Pen& pen) {
  const auto inside = clipped_to_page(from, to);
  if (!inside) {
    return;
  }
  const Fineness fine = utf8_ ? kBraille : kHalves;
  const Pattern pattern = (utf8_ ? kPatterns : kAsciiPatterns)[pen.number % kPatterns.size()];
  // The ends of the axes are the middles of the outermost cells, where marks and ticks are too.
  const auto x_of = [&](Point p) { return (p.x * static_cast<double>(columns_ - 1) + 0.5) * fine.across; };
  const auto y_of = [&](Point p) { return ((1 - p.y) * static_cast<double>(rows_ - 1) + 0.5) * fine.down; };
  const double x = x_of(inside->first);
  const double y = y_of(inside->first);
  const double dx = x_of(inside->second) - x;
  const double dy = y_of(inside->second) - y;
  const double steps = std::max(1.0, std::ceil(std::max(std::fabs(dx), std::fabs(dy))));
  for (double i = pen.dots == 0 ? 0 : 1; i <= steps; ++i) {
    if (pen.dots++ % (pattern.on + pattern.off) < pattern.on) {
      dot(x + dx * (i / steps), y + dy * (i / steps));
    }
  }
}

void Canvas::link(CellAt at, unsigned links, const Pen& pen) {
  if (contains(at)) {
    cell(at).links = static_cast<std::uint8_t>(cell(at).links | links);
    cell(at).weight = static_cast<std::uint8_t>(pen.number % kBoxes.size());
  }
}

void Canvas::draw_corner(CellAt from, CellAt to, const Pen& pen) {
  for (std::ptrdiff_t column = from.column; column < to.column; ++column) {
    link({column, from.row}, kRight, pen);
    link({column + 1, from.row}, kLeft, pen);
  }
  for (std::ptrdiff_t row = std::min(from.row, to.row); row < std::max(from.row, to.row); ++row) {
    link({to.column, row}, kDown, pen);
    link({to.column, row + 1}, kUp, pen);
  }
}

void Canvas::draw_stub(CellAt at, const Pen& pen) {
  link(at, kLeft, pen);
}

void Canvas::put(CellAt at, std::string_view glyph) {
  if (contains(at)) {
    cell(at).glyph = glyph;
  }
}

void Canvas::write(CellAt from, std::string_view text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    put({from.column + static_cast<std::ptrdiff_t>(i), from.row}, text.substr(i, 1));
  }
}

bool Canvas::is_blank(CellAt from, std::size_t columns) const {
  for (std::size_t i = 0; i < columns; ++i) {
    const CellAt at{from.column + static_cast<std::ptrdiff_t>(i), from.row};
    if (!contains(at) || cell(at).dots != 0 || cell(at).links != 0 || !cell(at).glyph.empty()) {
      return false;
    }
  }
  return true;
}

std::string Canvas::text_of(const Cell& cell) const {
  static constexpr std::array<std::string_view, 4> kHalfDots{" ", "'", ".", ":"};
  if (!cell.glyph.empty()) {
    return cell.glyph;
  }
  if (cell.links != 0) {
    return std::string((utf8_ ? kBoxes : kAsciiBoxes)[cell.weight][cell.links]);
  }
  if (cell.dots == 0) {
    return " ";
  }
  return utf8_ ? braille(cell.dots) : std::string(kHalfDots[cell.dots]);
}

std::string Canvas::row_text(std::size_t row) const {
  std::string text;
  for (std::size_t column = 0; column < columns_; ++column) {
    text += text_of(cells_[row * columns_ + column]);
  }
  text.erase(text.find_last_not_of(' ') + 1);
  return text;
}

}  // namespace gpusim::plot
