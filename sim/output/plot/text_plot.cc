// SPDX-License-Identifier: MIT
#include "sim/output/plot/text_plot.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <span>
#include <string_view>
#include <utility>

#include "sim/base/text.h"
#include "sim/output/plot/canvas.h"
#include "sim/output/plot/ruler.h"

namespace gpusim::plot {
namespace {

constexpr std::size_t kLeastWidth = 20;
constexpr std::size_t kMostWidth = 400;
constexpr std::size_t kLeastHeight = 3;
constexpr std::size_t kMostHeight = 200;
/// A number on the x axis and the space around it; rows from one number on the y axis to the next.
constexpr std::size_t kColumnsPerTick = 9;
constexpr std::size_t kRowsPerTick = 2;
constexpr std::size_t kLongestName = 28;

/// The characters around and on the drawing.
struct Glyphs {
  std::string_view left;
  std::string_view left_tick;
  std::string_view corner;
  std::string_view bottom;
  std::string_view bottom_tick;
  std::string_view named;  ///< mark of a label
  std::array<std::string_view, 5> marks;
};
constexpr Glyphs kUtf8{"│", "┤", "└", "─", "┬", "●", {"◆", "▲", "■", "◇", "△"}};
constexpr Glyphs kAscii{"|", "+", "+", "-", "+", "@", {"*", "x", "o", "#", "%"}};

/// What one plot is drawn with; lives as long as one call of to_text().
class Drawing {
 public:
  Drawing(const Plot& plot, Size size, bool utf8);
  [[nodiscard]] std::string text();

 private:
  [[nodiscard]] std::size_t margin() const { return number_width_ + 2; }  ///< numbers, a space, the frame
  [[nodiscard]] std::optional<Point> place_of(Point point) const;
  void draw_series();
  void draw_line(const Series& series, Pen& pen);
  void draw_steps(const Series& series, Pen& pen);
  void draw_marks(const Series& series, std::string_view mark);
  void draw_labels();
  [[nodiscard]] bool write_beside(CellAt mark, const std::string& name);
  void name_by_letter(CellAt mark, const std::string& name);
  void add_to_legend(const std::string& sample, const std::string& name);
  [[nodiscard]] std::string rows_text() const;
  [[nodiscard]] std::string bottom_text() const;
  [[nodiscard]] std::string legend_text() const;

  const Plot& plot_;
  std::size_t width_;
  std::size_t rows_;
  bool utf8_;
  const Glyphs& glyphs_;
  Ruler y_;
  std::size_t number_width_;
  std::size_t columns_;
  Ruler x_;
  Canvas canvas_;
  std::vector<std::pair<std::string, std::string>> legend_;                    ///< sample, name
  std::map<std::pair<std::ptrdiff_t, std::ptrdiff_t>, std::size_t> lettered_;  ///< cell -> its line of the legend
};

/// The coordinates, of one kind, of all points that have a place on both axes.
std::vector<double> coordinates(const Plot& plot, double Point::*of) {
  std::vector<double> values;
  const auto has_place = [](const Axis& axis, double value) {
    return std::isfinite(value) && (axis.scale == Scale::kLinear || value > 0);
  };
  const auto add = [&](const Point& point) {
    if (has_place(plot.x, point.x) && has_place(plot.y, point.y)) {
      values.push_back(point.*of);
    }
  };
  for (const Series& series : plot.series) {
    std::ranges::for_each(series.points, add);
  }
  std::ranges::for_each(plot.labels, add, &Label::at);
  return values;
}

std::size_t widest(std::span<const Tick> ticks) {
  std::size_t width = 0;
  for (const Tick& tick : ticks) {
    width = std::max(width, tick.text.size());
  }
  return width;
}

std::string line_of(std::string text) {
  text.erase(text.find_last_not_of(' ') + 1);
  return text + "\n";
}

std::string centred(std::string_view text, std::size_t left, std::size_t width) {
  const std::string shown = clipped(printable(text), width);
  return line_of(std::string(left + (width - shown.size()) / 2, ' ') + shown);
}

std::size_t shown_columns(std::string_view text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xc0U) != 0x80U; }));
}

Drawing::Drawing(const Plot& plot, Size size, bool utf8)
    : plot_(plot),
      width_(size.width),
      rows_(size.height),
      utf8_(utf8),
      glyphs_(utf8 ? kUtf8 : kAscii),
      y_(plot.y, coordinates(plot, &Point::y), rows_ / kRowsPerTick),
      number_width_(std::min(widest(y_.ticks()), width_ / 3)),
      columns_(width_ - margin()),
      x_(plot.x, coordinates(plot, &Point::x), columns_ / kColumnsPerTick),
      canvas_(columns_, rows_, utf8) {}

std::string Drawing::text() {
  draw_series();
  draw_labels();
  std::string out;
  if (!plot_.title.empty()) {
    out += centred(plot_.title, margin(), columns_);
  }
  if (!plot_.y.title.empty()) {
    out += line_of(clipped(printable(plot_.y.title), width_));
  }
  return out + rows_text() + bottom_text() + legend_text();
}

/// Where a point lies in the unit square, or beyond it; empty for one that has no place on the axes.
std::optional<Point> Drawing::place_of(Point point) const {
  const std::optional<double> x = x_.position(point.x);
  const std::optional<double> y = y_.position(point.y);
  return x && y ? std::optional(Point{*x, *y}) : std::nullopt;
}

void Drawing::draw_series() {
  std::array<std::size_t, 3> drawn{};  // how many were drawn of each style
  const bool several = plot_.series.size() > 1;
  for (const Series& series : plot_.series) {
    Pen pen{drawn[static_cast<std::size_t>(series.style)]++, 0};
    const std::string_view mark = glyphs_.marks[pen.number % glyphs_.marks.size()];
    Canvas sample(4, 1, utf8_);
    Pen sample_pen{pen.number, 0};
    if (series.style == Style::kLine) {
      draw_line(series, pen);
      sample.draw_line({0, 0}, {1, 0}, sample_pen);
    } else if (series.style == Style::kSteps) {
      draw_steps(series, pen);
      sample.draw_corner({-1, 0}, {4, 0}, sample_pen);
    } else {
      draw_marks(series, mark);
      sample.put({0, 0}, mark);
    }
    if (several && !series.name.empty()) {
      add_to_legend(sample.row_text(0), series.name);
    }
  }
}

void Drawing::draw_line(const Series& series, Pen& pen) {
  std::optional<Point> before;
  for (const Point& point : series.points) {
    const std::optional<Point> place = place_of(point);
    if (place && before) {
      canvas_.draw_line(*before, *place, pen);
    }
    before = place;
  }
}

void Drawing::draw_steps(const Series& series, Pen& pen) {
  std::optional<CellAt> before;
  for (const Point& point : series.points) {
    const std::optional<Point> place = place_of(point);
    const std::optional<CellAt> cell = place ? std::optional(canvas_.cell_of(*place)) : std::nullopt;
    if (cell && before) {
      canvas_.draw_corner(*before, *cell, pen);
    } else if (cell || before) {
      canvas_.draw_stub(cell ? *cell : *before, pen);
    }
    before = cell;
  }
  if (before) {
    canvas_.draw_stub(*before, pen);
  }
}

void Drawing::draw_marks(const Series& series, std::string_view mark) {
  for (const Point& point : series.points) {
    if (const std::optional<Point> place = place_of(point)) {
      canvas_.put(canvas_.cell_of(*place), mark);
    }
  }
}

void Drawing::draw_labels() {
  std::vector<std::pair<CellAt, std::string>> on_page;
  for (const Label& label : plot_.labels) {
    const std::string name = clipped(printable(label.name), kLongestName);
    const std::optional<Point> place = place_of(label.at);
    if (place && std::clamp(place->x, 0.0, 1.0) == place->x && std::clamp(place->y, 0.0, 1.0) == place->y) {
      on_page.emplace_back(canvas_.cell_of(*place), name);
      canvas_.put(on_page.back().first, glyphs_.named);
    } else {
      add_to_legend("?", name + " (beyond the axes)");
    }
  }
  // All marks before the first name: no name may cover one.
  for (const auto& [cell, name] : on_page) {
    if (!name.empty() && !write_beside(cell, name)) {
      name_by_letter(cell, name);
    }
  }
}

/// Beside the mark or up to two rows above or below; false when something is everywhere.
bool Drawing::write_beside(CellAt mark, const std::string& name) {
  const auto size = static_cast<std::ptrdiff_t>(name.size());
  const auto columns = static_cast<std::ptrdiff_t>(columns_);
  const std::ptrdiff_t right = mark.column + 2;
  const std::ptrdiff_t left = mark.column - 1 - size;
  const std::ptrdiff_t middle =
      std::clamp<std::ptrdiff_t>(mark.column - size / 2, 0, std::max<std::ptrdiff_t>(columns - size, 0));
  std::vector<CellAt> places{{right, mark.row}, {left, mark.row}};
  for (const std::ptrdiff_t row : {mark.row + 1, mark.row - 1, mark.row + 2, mark.row - 2}) {
    places.insert(places.end(), {{right, row}, {middle, row}, {left, row}});
  }
  for (const CellAt from : places) {
    // A space before and behind, unless the page ends there.
    const std::ptrdiff_t begin = std::max<std::ptrdiff_t>(from.column - 1, 0);
    const std::ptrdiff_t end = std::max(std::min(from.column + size + 1, columns), from.column + size);
    if (from.column >= 0 && canvas_.is_blank({begin, from.row}, static_cast<std::size_t>(end - begin))) {
      canvas_.write(from, name);
      return true;
    }
  }
  return false;
}

void Drawing::name_by_letter(CellAt mark, const std::string& name) {
  const auto [entry, is_new] = lettered_.try_emplace({mark.column, mark.row}, legend_.size());
  if (!is_new) {
    legend_[entry->second].second += ", " + name;
    return;
  }
  const std::string letter(1, static_cast<char>('A' + (lettered_.size() - 1) % 26));
  canvas_.put(mark, letter);
  legend_.emplace_back(letter, name);
}

void Drawing::add_to_legend(const std::string& sample, const std::string& name) {
  legend_.emplace_back(sample, clipped(printable(name), width_));
}

std::string Drawing::rows_text() const {
  std::vector<std::string> numbers(rows_);
  for (const Tick& tick : y_.ticks()) {
    const CellAt at = canvas_.cell_of({0, tick.at});
    if (at.row >= 0 && std::cmp_less(at.row, rows_)) {
      numbers[static_cast<std::size_t>(at.row)] = clipped(tick.text, number_width_);
    }
  }
  std::string out;
  for (std::size_t row = 0; row < rows_; ++row) {
    const std::string& number = numbers[row];
    out += line_of(std::string(number_width_ - number.size(), ' ') + number + " " +
                   std::string(number.empty() ? glyphs_.left : glyphs_.left_tick) + canvas_.row_text(row));
  }
  return out;
}

std::string Drawing::bottom_text() const {
  std::vector<std::string_view> frame(columns_, glyphs_.bottom);
  std::string numbers;
  for (const Tick& tick : x_.ticks()) {
    const CellAt at = canvas_.cell_of({tick.at, 0});
    const std::size_t size = tick.text.size();
    if (at.column < 0 || std::cmp_greater_equal(at.column, columns_) || size > width_) {
      continue;
    }
    const std::size_t column = margin() + static_cast<std::size_t>(at.column);
    const std::size_t begin = std::min(column - std::min(column, size / 2), width_ - size);
    if (numbers.empty() || begin >= numbers.size() + 2) {
      numbers.resize(begin, ' ');
      numbers += tick.text;
      frame[static_cast<std::size_t>(at.column)] = glyphs_.bottom_tick;
    }
  }
  std::string out = std::string(number_width_ + 1, ' ') + std::string(glyphs_.corner);
  for (const std::string_view piece : frame) {
    out += piece;
  }
  out += "\n" + line_of(numbers);
  return plot_.x.title.empty() ? out : out + centred(plot_.x.title, margin(), columns_);
}

/// Entries filled into lines; a name that several marks share may be long and is cut off.
std::string Drawing::legend_text() const {
  constexpr std::string_view kGap = "   ";
  const std::string indent(std::min(margin(), width_ / 4), ' ');
  std::string out;
  std::string line;
  for (const auto& [sample, name] : legend_) {
    const std::size_t room = width_ - indent.size() - shown_columns(sample) - 1;
    const std::string entry = sample + " " + clipped(name, room);
    if (!line.empty() && shown_columns(line) + kGap.size() + shown_columns(entry) > width_) {
      out += line_of(std::exchange(line, ""));
    }
    line += (line.empty() ? indent : std::string(kGap)) + entry;
  }
  return line.empty() ? out : out + line_of(line);
}

}  // namespace

std::string to_text(const Plot& plot, Size size, bool utf8) {
  if (size.width < kLeastWidth || size.height < kLeastHeight) {
    return line_of(clipped(printable(plot.title), size.width));
  }
  return Drawing(plot, {std::min(size.width, kMostWidth), std::min(size.height, kMostHeight)}, utf8).text();
}

}  // namespace gpusim::plot
