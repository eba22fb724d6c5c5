// SPDX-License-Identifier: MIT
#include "sim/commands/sweep/analysis/pictures.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "sim/base/text.h"
#include "sim/commands/sweep/analysis/gnuplot.h"
#include "sim/commands/sweep/analysis/trace_pictures.h"
#include "sim/commands/sweep/analysis/words.h"

namespace gpusim::sweep {
namespace {

constexpr std::size_t kMostCurvesDrawn = 3;  ///< pictures of one group
constexpr std::size_t kMostLines = 6;        ///< in one picture
constexpr std::size_t kMostCells = 14;       ///< a side of a map whose cells have room for words

/// Bounds and the marks they are drawn with, in the order in which they occur.
class BoundMarks {
 public:
  int mark_of(const std::string& bound) {
    const auto found = std::ranges::find(bounds_, bound);
    const auto number = static_cast<std::size_t>(found - bounds_.begin());
    if (found == bounds_.end()) {
      bounds_.push_back(bound);
    }
    return kMarks[number % kMarks.size()];
  }
  /// Lines of the key that explain the marks.
  [[nodiscard]] std::string key() const {
    std::string out;
    for (std::size_t i = 0; i < bounds_.size(); ++i) {
      out += fmt::format(", \\\n  NaN with points pointtype {} pointsize 0.8 linecolor rgb '#606060' title {}",
                         kMarks[i % kMarks.size()], script_text(key_title(bounds_[i] + "-bound")));
    }
    return out;
  }

 private:
  std::vector<std::string> bounds_;
};

/// Numeric dimensions with a curve through the centre, what matters most first.
std::vector<std::size_t> curves_of(const GroupAnalysis& group_analysis) {
  std::vector<std::size_t> out;
  for (const Sensitivity& s : group_analysis.sensitivities) {
    if (std::ranges::find(group_analysis.scalings, s.dimension, &Scaling::dimension) != group_analysis.scalings.end()) {
      out.push_back(s.dimension);
    }
  }
  return out;
}

/// The sample at a place, by its levels.
class Places {
 public:
  explicit Places(const Group& group) {
    for (std::size_t i = 0; i < group.samples.size(); ++i) {
      by_level_[group.samples[i].level] = i;
    }
  }
  [[nodiscard]] std::optional<std::size_t> find(const std::vector<std::size_t>& level) const {
    const auto found = by_level_.find(level);
    return found == by_level_.end() ? std::nullopt : std::optional(found->second);
  }

 private:
  std::map<std::vector<std::size_t>, std::size_t> by_level_;
};

/// What one key of the machine buys, or what one of the work costs, a line for each value of another key.
class Curves {
 public:
  Curves(const Analysis& analysis, const GroupAnalysis& group_analysis, std::size_t along,
         std::optional<std::size_t> across)
      : analysis_(analysis),
        group_analysis_(group_analysis),
        group_(group_analysis.group),
        along_(along),
        across_(across),
        shows_speed_(!group_.dimensions[along].is_workload()) {}

  Picture make(PictureNames& names, std::vector<std::string>& left_out) {
    const Dimension& x = group_.dimensions[along_];
    picture_.name = names.make("scaling-" + group_.trace + "-" + group_.arch + "-" + x.key);
    find_lines();
    if (lines_left_out_ > 0) {
      left_out.push_back(fmt::format("{} of the {} lines of {} in {}", lines_left_out_, lines_left_out_ + lines_.size(),
                                     group_.dimensions[*across_].key, picture_.name));
    }
    for (std::size_t i = 0; i < lines_.size(); ++i) {
      draw_line(i);
    }
    const std::string metric = with_unit(analysis_.metric.name, analysis_.metric.unit);
    picture_.script =
        preamble(picture_.name, title(), place_text(group_, group_.samples[group_analysis_.centre], {along_, across_}));
    picture_.script +=
        x_axis_of(x, falls(), plot_width(longest_)) + "set ylabel " +
        script_text(shows_speed_ ? "speed-up over the slowest point (" + analysis_.metric.name + ")" : metric);
    // Over a wide range, lines at 45 degrees are what scales.
    const bool log_y = !shows_speed_ || (is_wide(x) && most_ > kLogSpeed);
    picture_.script += log_y ? "\nset logscale y 2\n" : "\nset yrange [0:*]\n";
    picture_.script += "plot " + plots_ + marks_.key() + "\n";
    return std::move(picture_);
  }

 private:
  static constexpr double kLogSpeed = 4;

  [[nodiscard]] bool falls() const {
    return std::ranges::find(group_analysis_.scalings, along_, &Scaling::dimension)->falls;
  }
  [[nodiscard]] std::string title() const {
    const std::string& key = group_.dimensions[along_].key;
    return name_of(group_) + ": what " +
           (falls()        ? "less "
            : shows_speed_ ? ""
                           : "more ") +
           key + (shows_speed_ ? " buys" : " costs");
  }

  struct Line {
    std::string title;
    std::vector<const Sample*> samples;
  };

  /// The points at one level of the key across, along the other one.
  [[nodiscard]] Line line_at(const Places& places, std::size_t level) const {
    std::vector<std::size_t> place = group_.samples[group_analysis_.centre].level;
    Line line{analysis_.metric.name, {}};
    if (across_) {
      place[*across_] = level;
      const Dimension& across = group_.dimensions[*across_];
      line.title = key_title_of(across.key, printable(across.levels[level].text));
    }
    for (std::size_t i = 0; i < group_.dimensions[along_].levels.size(); ++i) {
      place[along_] = i;
      if (const std::optional<std::size_t> found = places.find(place)) {
        line.samples.push_back(&group_.samples[*found]);
      }
    }
    return line;
  }

  /// Those of at least two points; the one through the centre is among them.
  void find_lines() {
    const Places places(group_);
    const std::size_t count = across_ ? group_.dimensions[*across_].levels.size() : 1;
    const std::size_t central = across_ ? group_.samples[group_analysis_.centre].level[*across_] : 0;
    std::vector<Line> all;
    std::size_t centre = 0;
    for (std::size_t level = 0; level < count; ++level) {
      if (Line line = line_at(places, level); line.samples.size() > 1) {
        centre = level == central ? all.size() : centre;
        all.push_back(std::move(line));
      }
    }
    assert(!all.empty());  // without a curve through the centre the key would have no scaling
    std::vector<std::size_t> shown = spread_over(all.size(), kMostLines);
    if (std::ranges::find(shown, centre) == shown.end()) {
      *std::ranges::prev(std::ranges::upper_bound(shown, centre)) = centre;
    }
    for (const std::size_t i : shown) {
      longest_ = std::max(longest_, all[i].title.size());
      for (const Sample* sample : all[i].samples) {
        slowest_ = slowest_ == 0 || analysis_.metric.prefers(slowest_, sample->value) ? sample->value : slowest_;
      }
      lines_.push_back(std::move(all[i]));
    }
    lines_left_out_ = all.size() - shown.size();
  }

  void draw_line(std::size_t index) {
    picture_.data += index == 0 ? "" : kNextIndex;
    for (const Sample* sample : lines_[index].samples) {
      const double at = group_.level_of(*sample, along_).number->value / scale_of(group_.dimensions[along_]);
      const double y = shows_speed_ ? analysis_.metric.speedup(sample->value, slowest_) : sample->value;
      most_ = std::max(most_, y);
      const std::string& bound = analysis_.rows[sample->row].bound;
      picture_.data +=
          fmt::format("{},{},{},{}\n", data_number(at), data_number(y), marks_.mark_of(bound), data_cell(bound));
    }
    const std::string data = script_text(picture_.name + ".dat");
    const std::string_view colour = kColours[index % kColours.size()];
    plots_ += fmt::format("{}{} index {} using 1:2 with lines linewidth 2.5 linecolor rgb '{}' title {}, \\\n",
                          index == 0 ? "" : ", \\\n  ", data, index, colour, script_text(lines_[index].title));
    plots_ += fmt::format(
        "  {} index {} using 1:2:3 with points pointtype variable pointsize 1 linecolor rgb '{}' "
        "notitle",
        data, index, colour);
  }

  const Analysis& analysis_;
  const GroupAnalysis& group_analysis_;
  const Group& group_;
  std::size_t along_;
  std::optional<std::size_t> across_;
  bool shows_speed_;
  Picture picture_;
  std::vector<Line> lines_;
  std::size_t lines_left_out_ = 0;
  std::size_t longest_ = 0;  ///< title in the key
  double slowest_ = 0;
  double most_ = 0;
  BoundMarks marks_;
  std::string plots_;
};

/// "set xtics" by the number of the level.
std::string level_ticks(char axis, const Dimension& dimension) {
  std::string out = fmt::format("set {}label {}\nset {}tics (", axis, script_text(dimension.key), axis);
  std::size_t longest = 1;
  for (const Level& level : dimension.levels) {
    longest = std::max(longest, level.text.size());
  }
  const std::size_t most = axis == 'x' ? std::clamp(ticks_across(longest), std::size_t{2}, kMostCells) : kMostCells;
  const std::vector<std::size_t> shown = spread_over(dimension.levels.size(), most);
  for (std::size_t i = 0; i < shown.size(); ++i) {
    out += fmt::format("{}{} {}", i == 0 ? "" : ", ", script_text(dimension.levels[shown[i]].text), shown[i]);
  }
  return out + fmt::format(")\nset {}range [-0.5:{}]\n", axis, static_cast<double>(dimension.levels.size()) - 0.5);
}

/// Colours from dark to bright that also rise in lightness, for every kind of colour vision (stops of "viridis" by
/// S. van der Walt and N. Smith, in the public domain).
constexpr const char* kPalette =
    "set palette defined (0 '#440154', 1 '#472d7b', 2 '#3b528b', 3 '#2c728e', 4 '#21918c', 5 '#28ae80', 6 '#5ec962', "
    "7 '#addc30', 8 '#fde725')\n";

/// Room for the title of the colour bar beside long numbers: gnuplot allows for five letters.
std::string bar_margin(double most) {
  constexpr double kAllowed = 5;
  constexpr double kTicks = 10;
  const double decimals = most > 1 ? std::max(0.0, std::ceil(-std::log10((most - 1) / kTicks))) : 1;
  const double letters = std::floor(std::log10(most)) + 1 + (decimals > 0 ? decimals + 1 : 0);
  return letters <= kAllowed ? "" : fmt::format("set rmargin {}\n", letters);
}

/// The metric over two keys, the others as at the centre: a coloured cell a point.
Picture make_map(const Analysis& analysis, const GroupAnalysis& group_analysis, std::size_t a, std::size_t b,
                 PictureNames& names) {
  const Group& group = group_analysis.group;
  Picture picture;
  picture.name = names.make("map-" + group.trace + "-" + group.arch + "-" + group.dimensions[a].key + "-" +
                            group.dimensions[b].key);
  std::vector<const Sample*> cells;
  for (const Sample& sample : group.samples) {
    bool fits = true;
    for (std::size_t d = 0; d < group.dimensions.size(); ++d) {
      fits = fits && (d == a || d == b || sample.level[d] == group.samples[group_analysis.centre].level[d]);
    }
    if (fits) {
      cells.push_back(&sample);
    }
  }
  const auto worst = std::ranges::max_element(
      cells, [&](const Sample* p, const Sample* q) { return analysis.metric.prefers(p->value, q->value); });
  double most = 1;
  for (const Sample* cell : cells) {
    most = std::max(most, analysis.metric.speedup(cell->value, (*worst)->value));
  }
  for (const Sample* cell : cells) {
    const double speedup = analysis.metric.speedup(cell->value, (*worst)->value);
    // Bright cells need dark words.
    const bool bright = most > 1 && (speedup - 1) / (most - 1) > 0.55;
    picture.data += fmt::format("{},{},{},{},{},{}\n", cell->level[a], cell->level[b], data_number(speedup),
                                bright ? 0x000000 : 0xffffff, data_cell(number_text(cell->value)),
                                data_cell(analysis.rows[cell->row].bound));
  }
  const std::string data = script_text(picture.name + ".dat");
  picture.script =
      preamble(picture.name,
               name_of(group) + ": " + with_unit(analysis.metric.name, analysis.metric.unit) + " and what bounds it",
               place_text(group, group.samples[group_analysis.centre], {a, b}));
  picture.script += level_ticks('x', group.dimensions[a]) + level_ticks('y', group.dimensions[b]) + kPalette;
  picture.script +=
      "set cblabel 'speed-up over the slowest point'\nset cbrange [1:*]\nunset key\nunset grid\n" + bar_margin(most);
  picture.script +=
      "plot " + data +
      " using 1:2:(0.5):(0.5):3 with boxxyerror fillstyle solid 1.0 border linecolor rgb '#ffffff' linecolor palette";
  if (group.dimensions[a].levels.size() <= kMostCells && group.dimensions[b].levels.size() <= kMostCells) {
    for (const auto& [column, offset] : {std::pair(5, "0.45"), std::pair(6, "-0.45")}) {
      picture.script += fmt::format(
          ", \\\n  {} using 1:2:{}:4 with labels offset 0,{} font 'sans-serif,11' textcolor "
          "rgb variable",
          data, column, offset);
    }
  }
  picture.script += "\n";
  return picture;
}

/// What has no curve, and why; and what of the curves is not drawn.
void tell_left_out(const Analysis& analysis, const GroupAnalysis& group_analysis,
                   const std::vector<std::size_t>& curves, std::vector<std::string>& left_out) {
  const Group& group = group_analysis.group;
  const std::string of = " of " + name_of(group);
  if (group.dimensions.empty()) {
    const auto trace = std::ranges::find(analysis.traces, group.trace, &TraceAnalysis::trace);
    if (trace == analysis.traces.end() || trace->gpus.empty()) {
      left_out.push_back(name_of(group) + " (nothing varies in it)");
    }
    return;
  }
  for (std::size_t d = 0; d < group.dimensions.size(); ++d) {
    const auto place = std::ranges::find(curves, d);
    if (place == curves.end()) {
      left_out.push_back(group.dimensions[d].key + of +
                         (group.dimensions[d].is_numeric ? " (too few points differ in it alone)"
                                                         : " (its values are not numbers above 0)"));
    } else if (place - curves.begin() >= static_cast<std::ptrdiff_t>(kMostCurvesDrawn)) {
      left_out.push_back(group.dimensions[d].key + of + fmt::format(" ({} keys matter more)", kMostCurvesDrawn));
    }
  }
}

void add_group(const Analysis& analysis, const GroupAnalysis& group_analysis, PictureNames& names, Pictures& out) {
  const std::vector<std::size_t> curves = curves_of(group_analysis);
  for (std::size_t i = 0; i < std::min(curves.size(), kMostCurvesDrawn); ++i) {
    std::optional<std::size_t> across;
    if (curves.size() > 1) {
      across = curves[i == 0 ? 1 : 0];
    }
    out.drawn.push_back(Curves(analysis, group_analysis, curves[i], across).make(names, out.left_out));
  }
  if (curves.size() > 1) {
    out.drawn.push_back(make_map(analysis, group_analysis, curves[0], curves[1], names));
  }
  tell_left_out(analysis, group_analysis, curves, out.left_out);
}

}  // namespace

Pictures make_pictures(const Analysis& analysis) {
  PictureNames names;
  Pictures out;
  for (const GroupAnalysis& group_analysis : analysis.groups) {
    add_group(analysis, group_analysis, names, out);
  }
  for (const TraceAnalysis& trace : analysis.traces) {
    if (!trace.costed.empty()) {
      out.drawn.push_back(make_front(analysis, trace, names));
    } else if (!analysis.cost.empty()) {
      out.left_out.push_back("costs of " + printable(trace.trace) + " (no point has one)");
    } else if (!trace.gpus.empty()) {
      out.drawn.push_back(make_bars(analysis, trace, names));
    }
  }
  return out;
}

}  // namespace gpusim::sweep
