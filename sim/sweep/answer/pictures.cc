// SPDX-License-Identifier: MIT
#include "sim/sweep/answer/pictures.h"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include "sim/base/text.h"
#include "sim/sweep/answer/gnuplot.h"
#include "sim/sweep/answer/words.h"

namespace gpusim::sweep {
namespace {

constexpr std::size_t kMostCurvesDrawn = 3;  ///< pictures of one group
constexpr std::size_t kMostLines = 6;        ///< in one picture
constexpr std::size_t kMostCells = 14;       ///< a side of a map whose cells have room for words
constexpr std::size_t kMostLabels = 12;      ///< on a front

/// Between data sets of one file.
constexpr const char* kNextIndex = "\n\n";

/// Names of files: those that become equal when they lose their odd characters are numbered.
class Names {
 public:
  std::string make(const std::string& text) {
    const std::string stem = file_stem(text);
    std::string name = stem;
    for (std::size_t i = 2; !taken_.insert(name).second; ++i) {
      name = stem + "-" + std::to_string(i);
    }
    return name;
  }

 private:
  std::set<std::string> taken_;
};

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
                         kMarks[i % kMarks.size()], script_text(bounds_[i] + "-bound"));
    }
    return out;
  }

 private:
  std::vector<std::string> bounds_;
};

/// Numeric dimensions with a curve through the centre, what matters most first.
std::vector<std::size_t> curves_of(const GroupAnswer& answer) {
  std::vector<std::size_t> out;
  for (const Sensitivity& s : answer.sensitivities) {
    if (std::ranges::find(answer.scalings, s.dimension, &Scaling::dimension) != answer.scalings.end()) {
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
  Curves(const Answers& answers, const GroupAnswer& answer, std::size_t along, std::optional<std::size_t> across)
      : answers_(answers),
        answer_(answer),
        group_(answer.group),
        along_(along),
        across_(across),
        shows_speed_(!group_.dimensions[along].is_workload()) {}

  Picture make(Names& names) {
    const Dimension& x = group_.dimensions[along_];
    picture_.name = names.make("scaling-" + group_.trace + "-" + group_.arch + "-" + x.key);
    find_lines();
    for (std::size_t i = 0; i < lines_.size(); ++i) {
      draw_line(i);
    }
    const std::string metric = with_unit(answers_.metric.name, answers_.metric.unit);
    picture_.script =
        preamble(picture_.name, title(), place_text(group_, group_.samples[answer_.centre], {along_, across_}));
    picture_.script +=
        x_axis_of(x, falls()) + "set ylabel " +
        script_text(shows_speed_ ? "speed-up over the slowest point (" + answers_.metric.name + ")" : metric);
    // Over a wide range, lines at 45 degrees are what scales.
    const bool log_y = !shows_speed_ || (is_wide(x) && most_ > kLogSpeed);
    picture_.script += log_y ? "\nset logscale y 2\n" : "\nset yrange [0:*]\n";
    picture_.script += "plot " + plots_ + marks_.key() + "\n";
    return std::move(picture_);
  }

 private:
  static constexpr double kLogSpeed = 4;

  [[nodiscard]] bool falls() const { return std::ranges::find(answer_.scalings, along_, &Scaling::dimension)->falls; }
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

  void find_lines() {
    const Places places(group_);
    const std::size_t count = across_ ? group_.dimensions[*across_].levels.size() : 1;
    for (const std::size_t level : spread_over(count, kMostLines)) {
      std::vector<std::size_t> place = group_.samples[answer_.centre].level;
      Line line{answers_.metric.name, {}};
      if (across_) {
        place[*across_] = level;
        line.title = group_.dimensions[*across_].key + "=" + group_.dimensions[*across_].levels[level].text;
      }
      for (std::size_t i = 0; i < group_.dimensions[along_].levels.size(); ++i) {
        place[along_] = i;
        if (const std::optional<std::size_t> found = places.find(place)) {
          line.samples.push_back(&group_.samples[*found]);
          const double value = group_.samples[*found].value;
          slowest_ = slowest_ == 0 || answers_.metric.prefers(slowest_, value) ? value : slowest_;
        }
      }
      if (!line.samples.empty()) {
        lines_.push_back(std::move(line));
      }
    }
  }

  void draw_line(std::size_t index) {
    picture_.data += index == 0 ? "" : kNextIndex;
    for (const Sample* sample : lines_[index].samples) {
      const double at = group_.level_of(*sample, along_).number->value / scale_of(group_.dimensions[along_]);
      const double y = shows_speed_ ? answers_.metric.speedup(sample->value, slowest_) : sample->value;
      most_ = std::max(most_, y);
      const std::string& bound = answers_.rows[sample->row].bound;
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

  const Answers& answers_;
  const GroupAnswer& answer_;
  const Group& group_;
  std::size_t along_;
  std::optional<std::size_t> across_;
  bool shows_speed_;
  Picture picture_;
  std::vector<Line> lines_;
  double slowest_ = 0;
  double most_ = 0;
  BoundMarks marks_;
  std::string plots_;
};

/// "set xtics" by the number of the level.
std::string level_ticks(char axis, const Dimension& dimension) {
  std::string out = fmt::format("set {}label {}\nset {}tics (", axis, script_text(dimension.key), axis);
  const std::vector<std::size_t> shown = spread_over(dimension.levels.size(), kMostCells);
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

/// The metric over two keys, the others as at the centre: a coloured cell a point.
Picture make_map(const Answers& answers, const GroupAnswer& answer, std::size_t a, std::size_t b, Names& names) {
  const Group& group = answer.group;
  Picture picture;
  picture.name = names.make("map-" + group.trace + "-" + group.arch + "-" + group.dimensions[a].key + "-" +
                            group.dimensions[b].key);
  std::vector<const Sample*> cells;
  for (const Sample& sample : group.samples) {
    bool fits = true;
    for (std::size_t d = 0; d < group.dimensions.size(); ++d) {
      fits = fits && (d == a || d == b || sample.level[d] == group.samples[answer.centre].level[d]);
    }
    if (fits) {
      cells.push_back(&sample);
    }
  }
  const auto worst = std::ranges::max_element(
      cells, [&](const Sample* p, const Sample* q) { return answers.metric.prefers(p->value, q->value); });
  double most = 1;
  for (const Sample* cell : cells) {
    most = std::max(most, answers.metric.speedup(cell->value, (*worst)->value));
  }
  for (const Sample* cell : cells) {
    const double speedup = answers.metric.speedup(cell->value, (*worst)->value);
    // Bright cells need dark words.
    const bool bright = most > 1 && (speedup - 1) / (most - 1) > 0.55;
    picture.data += fmt::format("{},{},{},{},{},{}\n", cell->level[a], cell->level[b], data_number(speedup),
                                bright ? 0x000000 : 0xffffff, data_cell(number_text(cell->value)),
                                data_cell(answers.rows[cell->row].bound));
  }
  const std::string data = script_text(picture.name + ".dat");
  picture.script = preamble(
      picture.name, name_of(group) + ": " + with_unit(answers.metric.name, answers.metric.unit) + " and what bounds it",
      place_text(group, group.samples[answer.centre], {a, b}));
  picture.script += level_ticks('x', group.dimensions[a]) + level_ticks('y', group.dimensions[b]) + kPalette;
  picture.script += "set cblabel 'speed-up over the slowest point'\nset cbrange [1:*]\nunset key\nunset grid\n";
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

/// What tells the points of a front apart: the keys, and each point's values in their order.
struct PointNames {
  std::string title;
  std::vector<std::string> of_point;
};

PointNames names_of(const Answers& answers, const TraceAnswer& trace) {
  std::vector<std::string> keys;
  for (const std::string& key : varying_keys(answers)) {
    const std::string first = text_or_dash(answers.rows[trace.front.front().row], key);
    const bool varies = std::ranges::any_of(
        trace.front, [&](const Costed& p) { return text_or_dash(answers.rows[p.row], key) != first; });
    if (varies) {
      keys.push_back(key);
    }
  }
  const bool has_parts = !trace.parts.empty();
  PointNames names{has_parts ? "arch" : "", {}};
  for (const std::string& key : keys) {
    names.title += (names.title.empty() ? "" : " / ") + key;
  }
  for (const Costed& point : trace.front) {
    std::string text = has_parts ? answers.rows[point.row].arch : "";
    for (const std::string& key : keys) {
      text += (text.empty() ? "" : " / ") + text_or_dash(answers.rows[point.row], key);
    }
    names.of_point.push_back(std::move(text));
  }
  return names;
}

/// A cloud of points by bound, the front through it, and numbers that the key explains.
Picture make_front(const Answers& answers, const TraceAnswer& trace, Names& names) {
  Picture picture;
  picture.name = names.make("pareto-" + trace.trace);
  const std::string data = script_text(picture.name + ".dat");
  std::map<std::string, std::string> by_bound;
  for (const Costed& point : trace.costed) {
    by_bound[answers.rows[point.row].bound] += data_number(point.cost) + "," + data_number(point.value) + "\n";
  }
  std::string plots = "plot " + data + " index 0 using 1:2 with steps linewidth 2.5 linecolor rgb '#000000' notitle";
  for (const Costed& point : trace.front) {
    picture.data += data_number(point.cost) + "," + data_number(point.value) + "\n";
  }
  std::size_t index = 1;
  for (const auto& [bound, rows] : by_bound) {
    picture.data += kNextIndex + rows;
    plots += fmt::format(
        ", \\\n  {} index {} using 1:2 with points pointtype {} pointsize 0.9 linecolor rgb '{}' title {}", data, index,
        kMarks[(index - 1) % kMarks.size()], kColours[(index - 1) % kColours.size()], script_text(bound + "-bound"));
    ++index;
  }
  const PointNames point_names = names_of(answers, trace);
  picture.data += kNextIndex;
  plots += ", \\\n  NaN with lines linewidth 2.5 linecolor rgb '#000000' title " +
           script_text("worth its cost: " + point_names.title);
  for (const std::size_t i : spread_over(trace.front.size(), kMostLabels)) {
    picture.data +=
        fmt::format("{},{},{}\n", data_number(trace.front[i].cost), data_number(trace.front[i].value), i + 1);
    plots += fmt::format(", \\\n  NaN with lines linecolor rgb '#ffffff' title {}",
                         script_text(fmt::format("{}: {}", i + 1, point_names.of_point[i])));
  }
  plots += fmt::format(
      ", \\\n  {} index {} using 1:2:3 with labels right offset -0.5,-0.7 font 'sans-serif,12' notitle\n", data, index);
  picture.script =
      preamble(picture.name, printable(trace.trace) + ": what is worth its cost", "cost = " + answers.cost);
  picture.script += "set xlabel 'cost'\nset ylabel " +
                    script_text(with_unit(answers.metric.name, answers.metric.unit)) +
                    "\nset offsets graph 0.03, graph 0.03, graph 0.03, graph 0.05\n" + plots;
  return picture;
}

void add_group(const Answers& answers, const GroupAnswer& answer, Names& names, std::vector<Picture>& out) {
  const std::vector<std::size_t> curves = curves_of(answer);
  for (std::size_t i = 0; i < std::min(curves.size(), kMostCurvesDrawn); ++i) {
    std::optional<std::size_t> across;
    if (curves.size() > 1) {
      across = curves[i == 0 ? 1 : 0];
    }
    out.push_back(Curves(answers, answer, curves[i], across).make(names));
  }
  if (curves.size() > 1) {
    out.push_back(make_map(answers, answer, curves[0], curves[1], names));
  }
}

}  // namespace

std::vector<Picture> make_pictures(const Answers& answers) {
  Names names;
  std::vector<Picture> out;
  for (const GroupAnswer& answer : answers.groups) {
    add_group(answers, answer, names, out);
  }
  for (const TraceAnswer& trace : answers.traces) {
    if (!trace.costed.empty()) {
      out.push_back(make_front(answers, trace, names));
    }
  }
  return out;
}

}  // namespace gpusim::sweep
