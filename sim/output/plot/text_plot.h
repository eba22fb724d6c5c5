// SPDX-License-Identifier: MIT
// Curves, steps and named points as text for a terminal: UTF-8 with braille dots and box characters, or plain ASCII.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace gpusim::plot {

enum class Scale { kLinear, kLog2, kLog10 };

/// How the numbers along an axis are chosen and written.
enum class Ticks {
  kPlain,   ///< 1, 2, 5 times a power of ten: "0.5", "2000"
  kSi,      ///< the same, with a prefix: "500G", "2T"
  kEven,    ///< powers of two and their multiples: "256", "1024" (threads, registers)
  kBinary,  ///< the same, with a prefix: "48Ki", "1Mi" (bytes)
};

struct Axis {
  std::string title;
  Scale scale = Scale::kLinear;
  Ticks ticks = Ticks::kPlain;
  /// The ends of the axis; without one it is the data's, rounded outwards to a tick. What lies beyond is cut off.
  std::optional<double> low;
  std::optional<double> high;
};

struct Point {
  double x = 0;
  double y = 0;
};

enum class Style {
  kLine,   ///< straight from point to point on the page
  kSteps,  ///< each y holds until the next x
  kMarks,  ///< one mark per point
};

/// Points by rising x. One that is not finite, or not positive on a logarithmic axis, interrupts a line.
struct Series {
  std::string name;
  std::vector<Point> points;
  Style style = Style::kLine;
};

/// A marked point with its name beside it; where the page has no room, a letter that the legend explains.
struct Label {
  std::string name;
  Point at;
};

struct Plot {
  std::string title;
  Axis x;
  Axis y;
  std::vector<Series> series;  ///< told apart by their glyphs; the legend names them when there are several
  std::vector<Label> labels;
};

/// Columns of the whole text and rows of the drawing within its frame. Where there is no room for a drawing (20
/// columns, 3 rows) the title alone is left; beyond 400 columns and 200 rows nothing grows.
struct Size {
  std::size_t width = 80;
  std::size_t height = 16;
};

/// Lines that end in "\n", none wider than the size allows, without spaces at the end. Texts are shown as ASCII.
[[nodiscard]] std::string to_text(const Plot& plot, Size size, bool utf8);

}  // namespace gpusim::plot
